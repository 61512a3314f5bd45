package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/apiclient"
	"riposte/hub/hubtest"
)

// most is how many hit points the combatant has whose sum is kept.
const most = 1_000_000

// load is one encounter that many play at once, everybody on any instance, and
// what they remember of it.
type load struct {
	t     testing.TB
	table *hubtest.Table
	urls  []string
	pause time.Duration // between two commands of one client, about
	begun time.Time

	ids   map[string]combat.ID // of the combatants, by name
	shade string               // name of the one who is hidden from players
	all   []*player
	work  sync.WaitGroup

	// answers ends when nobody waits for answers any more.
	answers    context.Context
	giveUp     context.CancelFunc
	mu         sync.Mutex // of what follows
	sent       []*sent
	history    []operation
	marks      int
	seenShade  []string // frames with the hidden one in them
	unanswered int      // reads
}

// player is one client.
type player struct {
	load     *load
	number   int
	audience combat.Audience
	mine     combat.ID // combatant, of one who has a seat
	token    string
	browser  *hubtest.Browser
	program  bool       // it watches an event stream and commands over HTTP
	rng      *rand.Rand // of the one who plays
	calls    []*apiclient.Client
}

// sent is a command and what became of it, as its sender knows.
type sent struct {
	id    string
	by    *player
	reply hubtest.Reply // empty as long as there is no answer
}

// newLoad makes an encounter on instances: time runs out in it all the time,
// somebody in it is hidden, each audience is watched on each instance, and some
// by programs.
func newLoad(t testing.TB, urls []string, seed uint64, pause time.Duration) *load {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	l := &load{t: t, urls: urls, pause: pause, begun: time.Now(), ids: map[string]combat.ID{},
		shade: fmt.Sprintf("Shade-%x", rng.Uint64())}
	l.answers, l.giveUp = context.WithCancel(context.Background())
	l.table = hubtest.Create(t, urls[0], map[string]string{"turnSeconds": "1", "reactionWindows": "ask", "reactionSeconds": "1"})
	gm := l.table.Join(l.table.Tokens[combat.RoleGM])
	var seats []hub.SeatCreated
	for _, name := range []string{"P1", "P2", "P3"} {
		seats = append(seats, l.table.Seat(name))
	}
	l.table.Quartet(gm, seats[0].Seat, seats[1].Seat)
	late := combat.Whole(1)
	gm.Must(combat.ImportCombatants{Combatants: []combat.AddCombatant{
		{Name: "Elm", Side: "party", Kind: "pc", Seat: seats[2].Seat, Init: &late, HP: 24},
		{Name: "Sum", Init: &late, HP: most}, {Name: "Mark", Init: &late, HP: 10},
		{Name: l.shade, Init: &late, HP: most, Hidden: true},
	}})
	for _, c := range gm.Combatants() {
		l.ids[c.Name] = c.ID
	}
	gm.Must(combat.StartCombat{})
	gm.Close()
	one := func(audience combat.Audience, mine combat.ID, token string, home int, program bool) {
		p := l.newPlayer(audience, token, home, seed, program)
		p.mine = mine
		l.all = append(l.all, p)
	}
	add := func(audience combat.Audience, mine combat.ID, token string, programs ...int) {
		for home := range urls {
			one(audience, mine, token, home, false)
		}
		for _, home := range programs {
			one(audience, mine, token, home%len(urls), true)
		}
	}
	add(combat.Audience{Role: combat.RoleGM}, "", l.table.Tokens[combat.RoleGM], 1)
	for i, name := range []string{"Ash", "Birch"} {
		add(combat.Audience{Role: combat.RoleSeat, Seat: seats[i].Seat}, l.ids[name], seats[i].Token)
	}
	add(combat.Audience{Role: combat.RoleSeat, Seat: seats[2].Seat}, l.ids["Elm"], seats[2].Token, 2)
	add(combat.Audience{Role: combat.RoleSpectator}, "", l.table.Tokens[combat.RoleSpectator], 0, 1)
	t.Cleanup(l.close)
	return l
}

// newPlayer opens a client that begins at one instance and comes back to any.
func (l *load) newPlayer(audience combat.Audience, token string, home int, seed uint64, program bool) *player {
	n := len(l.all)
	p := &player{load: l, number: n, audience: audience, token: token, program: program, rng: rand.New(rand.NewPCG(seed, uint64(100+n)))}
	for _, url := range l.urls {
		p.calls = append(p.calls, apiclient.New(url))
	}
	back := rand.New(rand.NewPCG(seed, uint64(200+n)))
	next := func() string {
		url := l.urls[home]
		home = back.IntN(len(l.urls))
		return url
	}
	browse := l.table.Browse
	if program {
		browse = l.table.BrowseEvents
	}
	p.browser = browse(token, back, next, p.watch)
	return p
}

// watch looks for the hidden one in what others than the GM get: its name, and
// its id as a value or at the end of a key.
func (p *player) watch(frame []byte) {
	if p.audience.Role == combat.RoleGM {
		return
	}
	id := string(p.load.ids[p.load.shade]) + `"`
	for _, secret := range []string{p.load.shade, `"` + id, "/" + id} {
		if bytes.Contains(frame, []byte(secret)) {
			p.load.mu.Lock()
			p.load.seenShade = append(p.load.seenShade, fmt.Sprintf("%s has %s in %.300s", p.audience, secret, frame))
			p.load.mu.Unlock()
		}
	}
}

// play lets everybody play until ctx is over. What is under way then is still
// answered: settle waits for it.
func (l *load) play(ctx context.Context) {
	for _, p := range l.all {
		act := map[string]func(){combat.RoleGM: p.direct, combat.RoleSeat: p.join, combat.RoleSpectator: func() {}}[p.audience.Role]
		l.work.Go(func() {
			for ctx.Err() == nil {
				act()
				if p.rng.IntN(100) == 0 {
					p.browser.Leave()
				}
				select {
				case <-time.After(l.pause/2 + time.Duration(p.rng.Int64N(int64(l.pause)))):
				case <-ctx.Done():
				}
			}
		})
	}
}

// playFor lets them play for some time.
func (l *load) playFor(some time.Duration) {
	select {
	case <-time.After(some):
	case <-l.answers.Done():
	}
}

// settle waits until everybody has the answers they wait for.
func (l *load) settle() {
	l.t.Helper()
	timer := time.AfterFunc(time.Minute, l.giveUp)
	l.work.Wait()
	if timer.Stop() {
		return
	}
	for _, s := range l.sent {
		if s.reply.Ack == nil && s.reply.Reject == nil {
			l.t.Errorf("command %s of %s, sent by client %d, is never answered", s.id, s.by.audience, s.by.number)
		}
	}
	l.t.FailNow()
}

func (l *load) close() {
	l.giveUp()
	l.work.Wait()
	for _, p := range l.all {
		p.browser.Close()
		for _, c := range p.calls {
			c.Close()
		}
	}
}

// now is the time of the history.
func (l *load) now() int64 { return int64(time.Since(l.begun)) }

// direct is one step of a GM.
func (p *player) direct() {
	l := p.load
	amount := 1 + p.rng.IntN(30)
	switch n := p.rng.IntN(20); {
	case n < 5:
		p.keep(input{kind: "damage", amount: amount}, combat.Damage{Combatants: []combat.ID{l.ids["Sum"]}, Amount: amount})
	case n < 9:
		p.keep(input{kind: "heal", amount: amount}, combat.Heal{Combatants: []combat.ID{l.ids["Sum"]}, Amount: amount})
	case n < 12:
		mark := l.nextMark()
		p.keep(input{kind: "mark", amount: mark}, combat.SetTempHP{Combatants: []combat.ID{l.ids["Mark"]}, Amount: mark})
	case n < 16:
		p.read(p.rng.IntN(len(p.calls)))
	case n < 17:
		p.again()
	case n < 18:
		p.do(combat.Damage{Combatants: []combat.ID{l.ids[l.shade]}, Amount: amount})
	case n < 19:
		// Somebody may want to answer that; if not, time runs out.
		p.do(combat.Move{Combatant: l.ids["Cedar"], Feet: 5, LeavesReachOf: []combat.ID{l.ids["Ash"], l.ids["Birch"]}})
	default:
		p.keep(input{kind: "other"}, combat.Note{Text: "on"})
	}
}

// join is one step of somebody at the table.
func (p *player) join() {
	if p.rng.IntN(4) > 0 {
		return
	}
	if p.program && p.rng.IntN(2) == 0 {
		p.look()
		return
	}
	mine := p.mine
	switch p.rng.IntN(4) {
	case 0:
		p.do(combat.Say{Text: "hello"})
	case 1:
		p.do(combat.SetPosition{Combatant: mine, Position: fmt.Sprint(p.rng.IntN(1000))})
	case 2:
		// No reactions: the clock would stand still until they end.
		p.do(combat.Decline{Combatant: mine})
	default:
		p.do(combat.EndTurn{Combatant: mine})
	}
}

// nextMark is a number that nobody has used.
func (l *load) nextMark() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.marks++
	return l.marks
}

// do sends a command under a new id and remembers what it was answered.
func (p *player) do(command combat.Command) *sent {
	s, _ := p.send(command, false)
	return s
}

// send is do; with twice, the command goes to two instances at the same time. It
// also returns when the first answer came.
func (p *player) send(command combat.Command, twice bool) (*sent, int64) {
	l := p.load
	s := &sent{id: uuid.NewString(), by: p}
	l.mu.Lock()
	l.sent = append(l.sent, s)
	l.mu.Unlock()
	var twin sync.WaitGroup
	var done hub.CommandDone
	answered := int64(-1)
	if twice {
		call := p.calls[p.rng.IntN(len(p.calls))]
		twin.Go(func() {
			if p.post(call, s.id, command, &done) == nil {
				answered = l.now()
			}
		})
	}
	ask := p.browser.Do
	if p.program {
		ask = p.repeat
	}
	reply, err := ask(l.answers, s.id, command)
	at := l.now()
	twin.Wait()
	if err != nil {
		return s, at
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s.reply = reply
	if answered >= 0 {
		if at = min(at, answered); reply.Ack == nil || reply.Ack.Seq != done.Seq {
			l.t.Errorf("command %s is answered %+v, and %d over HTTP at the same time", s.id, reply, done.Seq)
		}
	}
	return s, at
}

// keep is do for a command that the history is about. None of them can be
// refused.
func (p *player) keep(in input, command combat.Command) {
	l := p.load
	called := l.now()
	s, returned := p.send(command, p.rng.IntN(10) == 0)
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case s.reply.Ack != nil:
		l.history = append(l.history, operation{p.number, in, output{known: true, ack: s.reply.Ack.Seq}, called, returned})
	case s.reply.Reject == nil:
		l.history = append(l.history, operation{p.number, in, output{}, called, forever})
	default:
		l.t.Errorf("%s is refused: %s", in.kind, s.reply.Code())
	}
}

// answered waits until an instance acknowledges a command that is sent there
// now: one that every later read has to show.
func (l *load) answered(at int) {
	l.t.Helper()
	gm := l.all[0]
	s := &sent{id: uuid.NewString(), by: gm}
	called := l.now()
	var done hub.CommandDone
	hit := combat.Damage{Combatants: []combat.ID{l.ids["Sum"]}, Amount: 1}
	hubtest.Eventually(l.t, l.urls[at]+" answers", func() bool { return gm.post(gm.calls[at], s.id, hit, &done) == nil })
	returned := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	s.reply.Ack = &hub.Ack{ID: s.id, Seq: done.Seq}
	l.sent = append(l.sent, s)
	l.history = append(l.history, operation{len(l.all), input{"damage", hit.Amount}, output{known: true, ack: done.Seq}, called, returned})
}

// readAt has a GM read at an instance, which may be hurt: what it says when it is
// well again is not to be older than what others were told before. Several times,
// so that one may be there before a command shows an owner that it is none.
func (l *load) readAt(at int) {
	for range 8 {
		l.work.Go(func() { l.all[0].read(at) })
	}
}

// end waits until time has moved the fight on by itself, and then stops it, so
// that time changes nothing any more.
func (l *load) end() {
	l.t.Helper()
	gm := l.all[0]
	turn := func() (turn combat.TurnView) {
		screen, err := gm.browser.Screen(l.answers)
		if err != nil {
			l.t.Fatal(err)
		}
		return screen.Turn()
	}
	before := turn()
	hubtest.Eventually(l.t, "time runs out", func() bool { return turn() != before })
	if s := gm.do(combat.EndCombat{}); s.reply.Ack == nil {
		l.t.Fatalf("the fight cannot be ended: %+v", s.reply)
	}
	gm.read(0)
}
