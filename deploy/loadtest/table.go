package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/apiclient"
)

// table is one encounter under load.
type table struct {
	plan    *plan
	tally   *tally
	api     *apiclient.Client
	made    hub.Created
	probes  *probes
	urls    func() string // the next address in turn
	gm      *socket
	players []*socket
	others  []*socket // more GMs, and the spectators

	monsters []combat.ID
	heroes   []combat.ID // of players, in their order
}

// open makes the encounter, its seats and combatants, and begins the fight.
func (t *table) open(ctx context.Context, number int) error {
	post := func(path, token string, body, answer any) error {
		return t.api.Call(ctx, http.MethodPost, path, token, body, answer)
	}
	request := hub.CreateRequest{Rules: t.plan.Rules, Title: fmt.Sprintf("Load test %d", number)}
	if err := post("/api/encounters", "", request, &t.made); err != nil {
		return fmt.Errorf("making an encounter: %w", err)
	}
	path := "/api/encounters/" + string(t.made.ID)
	do := func(command combat.Command) error {
		encoded, err := combat.EncodeCommand(command)
		if err != nil {
			return err
		}
		var done hub.CommandDone
		if err := post(path+"/commands", t.made.Tokens[combat.RoleGM], hub.CommandRequest{ID: uuid.NewString(), Command: encoded}, &done); err != nil {
			return fmt.Errorf("%s: %w", combat.CommandName(command), err)
		}
		return nil
	}
	t.gm = t.socket(t.made.Tokens[combat.RoleGM])
	for i := range t.plan.Players {
		var seat hub.SeatCreated
		if err := post(path+"/seats", t.made.Tokens[combat.RolePlayer], hub.SeatRequest{Name: fmt.Sprintf("Player %d", i+1)}, &seat); err != nil {
			return fmt.Errorf("taking a seat: %w", err)
		}
		t.players = append(t.players, t.socket(seat.Token))
		count := combat.Whole(20 - i)
		if err := do(combat.AddCombatant{Name: fmt.Sprintf("Hero %d", i+1), Side: "party", Kind: "pc", Seat: seat.Seat, Init: &count, HP: 1000, AC: 15}); err != nil {
			return err
		}
	}
	count := combat.Whole(10)
	if err := do(combat.AddCombatant{Name: "Monster", Init: &count, HP: 1000, AC: 12, Times: t.plan.Monsters}); err != nil {
		return err
	}
	if err := do(combat.StartCombat{}); err != nil {
		return err
	}
	for range t.plan.GMs - 1 {
		t.others = append(t.others, t.socket(t.made.Tokens[combat.RoleGM]))
	}
	for range t.plan.Spectators {
		t.others = append(t.others, t.socket(t.made.Tokens[combat.RoleSpectator]))
	}
	return t.readIDs(ctx, path)
}

// readIDs learns who is who from the GM's view.
func (t *table) readIDs(ctx context.Context, path string) error {
	var view struct {
		Order []combat.SlotView `json:"order"`
	}
	if err := t.api.Call(ctx, http.MethodGet, path, t.made.Tokens[combat.RoleGM], nil, &view); err != nil {
		return fmt.Errorf("reading the encounter: %w", err)
	}
	for i, slot := range view.Order {
		if i < t.plan.Players {
			t.heroes = append(t.heroes, slot.Combatants...)
		} else {
			t.monsters = append(t.monsters, slot.Combatants...)
		}
	}
	if len(t.heroes) != t.plan.Players || len(t.monsters) != t.plan.Monsters {
		return fmt.Errorf("the order has %d and %d combatants, not %d and %d", len(t.heroes), len(t.monsters), t.plan.Players, t.plan.Monsters)
	}
	return nil
}

func (t *table) socket(token string) *socket {
	return &socket{url: t.urls(), encounter: string(t.made.ID), token: token, tally: t.tally, probes: t.probes, waiting: map[string]*command{}}
}

// connect opens all sockets and waits until each has its view. They stay open
// until ctx is done; running counts their goroutines.
func (t *table) connect(ctx context.Context, running *sync.WaitGroup) {
	var ready sync.WaitGroup
	all := append(append([]*socket{t.gm}, t.players...), t.others...)
	for _, s := range all {
		ready.Add(1)
		once := sync.OnceFunc(ready.Done)
		running.Go(func() {
			defer once()
			s.run(ctx, once)
		})
	}
	ready.Wait()
}

// play sends commands at the plan's rate until ctx is done or all are sent.
func (t *table) play(ctx context.Context) {
	interval := time.Duration(float64(time.Second) / t.plan.Rate)
	select { // so that the encounters do not beat in time
	case <-time.After(time.Duration(rand.Int64N(int64(interval)))):
	case <-ctx.Done():
		return
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for n := 0; t.plan.Commands == 0 || n < t.plan.Commands; n++ {
		t.step(n)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// step sends the n-th command: in turn a probe, damage, a probe, healing, a
// probe, the end of a turn.
func (t *table) step(n int) {
	now := time.Now()
	monster := t.monsters[n%len(t.monsters)]
	if n%2 == 0 {
		who, by := monster, t.gm
		if i := n / 2 % (len(t.players) + 1); i < len(t.players) {
			who, by = t.heroes[i], t.players[i]
		}
		t.send(by, now, combat.SetPosition{Combatant: who, Position: probeText(t.probes.next(now))})
		return
	}
	switch n / 2 % 3 {
	case 0:
		t.send(t.gm, now, combat.Damage{Combatants: []combat.ID{monster}, Amount: 2})
	case 1:
		t.send(t.gm, now, combat.Heal{Combatants: []combat.ID{monster}, Amount: 2})
	default:
		t.send(t.gm, now, combat.EndTurn{})
	}
}

func (t *table) send(by *socket, now time.Time, c combat.Command) {
	encoded, err := combat.EncodeCommand(c)
	if err != nil {
		panic(err) // our own commands can be encoded
	}
	id := uuid.NewString()
	data := []byte(`{"type":"do","id":"` + id + `","command":` + string(encoded) + `}`)
	by.send(id, data, now)
}

// unanswered counts the commands without an answer.
func (t *table) unanswered() int {
	n := t.gm.unanswered()
	for _, p := range t.players {
		n += p.unanswered()
	}
	return n
}
