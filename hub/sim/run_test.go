package sim

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"
	"testing/synctest"
	"time"

	"riposte/combat"
	"riposte/combat/dnd5e"
	"riposte/combat/lightsandshadows"
	"riposte/combat/starfinder"
	"riposte/hub"
)

// leaseLength is how long an owner may be silent, as in production.
const leaseLength = 10 * time.Second

// patience is how long it may take, once all is well again, until all screens
// show the same and all commands are answered.
const patience = 90 * time.Second

// run is one table, played on several instances while everything goes wrong.
type run struct {
	t         *testing.T
	seed      uint64
	random    *rand.Rand // of who sets it up and what goes wrong
	clocks    *rand.Rand // of how far they are off; under mu
	world     *world
	weather   *weather
	oracle    *oracle
	engine    *combat.Engine
	limits    hub.Limits
	instances []*instance
	encounter combat.ID
	tokens    map[string]string
	late      time.Duration // spectators are told so much later
	skew      time.Duration // how far an instance's clock is off at most
	running   context.Context
	stop      context.CancelFunc
	begun     time.Time
	ending    sync.WaitGroup // instances that are no more
	people    sync.WaitGroup
	reading   sync.WaitGroup // at instances that are stopped

	mu       sync.Mutex
	screens  []*screen
	revokes  []combat.Command // that a GM will send
	restored time.Time        // when the world was replaced last
	rest     bool             // nobody plays any more
	wrong    []string         // what is not as it should be
	diary    []string         // what happened
	faults   map[string]int
}

// figures is what a run was like.
type figures struct {
	commits, refused, answered int
	faults                     map[string]int
}

// simulate plays one seed to its end. It returns what went wrong.
func simulate(t *testing.T, seed uint64) (wrong []string, diary []string, f figures) {
	cryptotest.SetGlobalRandom(t, seed)
	synctest.Test(t, func(t *testing.T) {
		r := newRun(t, seed)
		r.play()
		wrong, diary = r.wrong, r.diary
		f = r.figures()
	})
	return wrong, diary, f
}

func newRun(t *testing.T, seed uint64) *run {
	r := &run{t: t, seed: seed, random: rand.New(rand.NewPCG(seed, 1)), clocks: rand.New(rand.NewPCG(seed, 3)), weather: newWeather(seed, 2), begun: time.Now(), faults: map[string]int{},
		engine: combat.New(dnd5e.System{}, starfinder.System{}, lightsandshadows.System{}), tokens: map[string]string{}}
	r.running, r.stop = context.WithCancel(context.Background())
	r.skew = []time.Duration{0, 300 * time.Millisecond, 3 * time.Second}[r.random.IntN(3)]
	r.oracle = newOracle(r.engine, r.report)
	r.oracle.skew = r.skew
	r.world = newWorld(leaseLength, r.random)
	r.world.witness = r.oracle
	r.limits = hub.Limits{SnapshotEvery: 40 + r.random.IntN(60), Remembered: 64, QueueBytes: []int{16 << 10, 512 << 10}[r.random.IntN(2)]}
	for n := range 2 + r.random.IntN(3) {
		i := &instance{run: r, n: n, pace: 0.85 + 0.3*r.random.Float64()}
		i.start()
		r.instances = append(r.instances, i)
	}
	return r
}

// play is the whole of it: a table is set, faults come while people play, then
// all is well and everything has to come together.
func (r *run) play() {
	r.set()
	for _, c := range r.all() {
		r.people.Go(c.live)
	}
	r.calm(5 * time.Second)
	r.trouble(time.Duration(30+r.random.IntN(30)) * time.Second)
	r.lastWords()
	r.settle()
	r.stop()
	r.people.Wait()
	for _, i := range r.instances {
		i.drain()
	}
	r.ending.Wait()
}

// lastWords loses the last frames there are without a word: nothing that comes
// after them shows that they are missing, but the owner's beacon.
func (r *run) lastWords() {
	for _, i := range r.instances {
		i.weather.silence(true)
	}
	r.calm(2 * time.Second)
	r.mu.Lock()
	r.rest = true
	r.mu.Unlock()
	r.calm(time.Second)
	for _, i := range r.instances {
		i.weather.silence(false)
	}
}

// calm waits a while.
func (r *run) calm(d time.Duration) { time.Sleep(d) }

// sleep waits, not longer than the run goes.
func (r *run) sleep(d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-r.running.Done():
	}
}

func (r *run) over() bool { return r.running.Err() != nil }

func (r *run) playing() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.rest
}

// report notes that something is not as it should be. Any goroutine may call it.
func (r *run) report(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if text := r.stamp() + fmt.Sprintf(format, args...); len(r.wrong) < 5 {
		r.wrong, r.diary = append(r.wrong, text), append(r.diary, "WRONG "+text)
	}
}

// note writes into the diary.
func (r *run) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.diary = append(r.diary, r.stamp()+fmt.Sprintf(format, args...))
}

func (r *run) stamp() string { return fmt.Sprintf("%7.3fs ", time.Since(r.begun).Seconds()) }

// all are the screens there are by now.
func (r *run) all() []*screen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.screens)
}

// request is one request over HTTP that must be answered with a status.
func (r *run) request(method, path, token string, body any, status int, into any) {
	r.t.Helper()
	data, err := json.Marshal(body)
	if err != nil {
		r.t.Fatal(err)
	}
	request := httptest.NewRequest(method, path, strings.NewReader(string(data)))
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	r.instances[0].hub.Handler().ServeHTTP(recorder, request)
	if recorder.Code != status {
		r.t.Fatalf("%s %s: %d %s", method, path, recorder.Code, recorder.Body)
	}
	if into != nil {
		if err := json.Unmarshal(recorder.Body.Bytes(), into); err != nil {
			r.t.Fatal(err)
		}
	}
}

// set sets the table, in fair weather.
func (r *run) set() {
	options := map[string]string{}
	if r.random.IntN(2) == 0 {
		options["reactionWindows"], options["reactionSeconds"] = "ask", "4"
	}
	if r.random.IntN(2) == 0 {
		options["turnSeconds"] = "8"
	}
	if r.random.IntN(5) == 0 {
		options["spectatorDelay"] = "5"
	}
	rules := []string{"dnd5e", "starfinder", "lights-and-shadows"}[r.seed%3]
	var created hub.Created
	r.request("POST", "/api/encounters", "", hub.CreateRequest{Rules: rules, Options: options}, http.StatusCreated, &created)
	r.encounter = created.ID
	at := "/api/encounters/" + string(created.ID)
	seats := make([]hub.SeatCreated, 2)
	for i := range seats {
		r.request("POST", at+"/seats", created.Tokens[combat.RolePlayer], hub.SeatRequest{Name: fmt.Sprint("P", i+1)}, http.StatusCreated, &seats[i])
	}
	raw, err := combat.EncodeCommand(combat.ImportCombatants{Combatants: []combat.AddCombatant{
		{Name: "Ash", Side: "party", Kind: "pc", Seat: seats[0].Seat, HP: 24, AC: 14, Answers: []string{"shield", "defend"}, Stats: stats(rules)},
		{Name: "Birch", Side: "party", Kind: "pc", Seat: seats[1].Seat, HP: 24, AC: 14, Stats: stats(rules)},
		{Name: "Cedar", Side: "foes", Kind: "npc", HP: 30, AC: 13},
		{Name: marker, Side: "foes", Kind: "npc", HP: 30, AC: 13, Hidden: true, Notes: marker + " is a spy"},
	}})
	if err != nil {
		r.t.Fatal(err)
	}
	r.request("POST", at+"/commands", created.Tokens[combat.RoleGM], hub.CommandRequest{ID: "00000000-0000-4000-8fff-000000000001", Command: raw}, http.StatusOK, nil)
	if options["spectatorDelay"] != "" {
		r.late = 5 * time.Second
	}
	r.planRevokes(seats[1].Seat)
	gm, spectator := combat.Audience{Role: combat.RoleGM}, combat.Audience{Role: combat.RoleSpectator}
	r.seat("GM", gm, created.Tokens[combat.RoleGM], false)
	for i, seat := range seats {
		r.seat(fmt.Sprint("P", i+1), combat.Audience{Role: combat.RoleSeat, Seat: seat.Seat}, seat.Token, false)
	}
	r.seat("spectator", spectator, created.Tokens[combat.RoleSpectator], false)
	for _, one := range []func(){
		func() { r.seat("the GM's program", gm, created.Tokens[combat.RoleGM], true) },
		func() { r.seat("the overlay", spectator, created.Tokens[combat.RoleSpectator], true) },
		func() {
			r.seat("P2's program", combat.Audience{Role: combat.RoleSeat, Seat: seats[1].Seat}, seats[1].Token, true)
		},
		func() {
			r.seat("onlooker", combat.Audience{Role: combat.RolePlayer}, created.Tokens[combat.RolePlayer], r.random.IntN(2) == 0)
		},
	} {
		if r.random.IntN(2) == 0 {
			one()
		}
	}
}

func stats(rules string) map[string]int {
	if rules == "lights-and-shadows" {
		return map[string]int{"score": 15, "weapon.sword.first": -1, "weapon.sword.next": -6}
	}
	return nil
}

// seat adds a screen.
func (r *run) seat(name string, audience combat.Audience, token string, program bool) *screen {
	r.mu.Lock()
	defer r.mu.Unlock()
	place := uint64(len(r.screens))
	c := &screen{run: r, name: name, place: len(r.screens), audience: audience, token: token, program: program,
		best: map[string]uint64{}, answers: map[string]string{},
		random: rand.New(rand.NewPCG(r.seed, 100+place)), roads: rand.New(rand.NewPCG(r.seed, 200+place))}
	if audience.Role == combat.RoleSpectator {
		c.late = r.late
	}
	r.screens = append(r.screens, c)
	return c
}

// settle waits until everything has come together.
func (r *run) settle() {
	end := time.Now().Add(patience)
	for {
		why := r.oracle.overdue()
		for _, c := range r.all() {
			if why == "" {
				why = c.settled()
			}
		}
		if why == "" {
			break
		}
		if time.Now().After(end) {
			r.report("all has been well for %s, and %s", patience, why)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	var audiences []combat.Audience
	for _, c := range r.all() {
		if !r.oracle.void(c.token) {
			audiences = append(audiences, c.audience)
		}
	}
	r.oracle.hush(audiences)
}

func (r *run) figures() figures {
	f := figures{commits: r.oracle.commits(), faults: r.faults}
	for _, c := range r.all() {
		for _, how := range c.answers {
			if f.answered++; how != "ok" {
				f.refused++
			}
		}
	}
	return f
}
