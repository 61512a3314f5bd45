// Package combat is the rules core of Riposte: who acts when, with what, and
// who may break in. It is pure: the same state, command, sender and dice give
// the same events, on any machine, at any time. It waits for nothing, reads no
// clock and rolls no dice of its own.
//
// # The model
//
//	Engine.Decide(state, command, by)  → events and the state after them, or a refusal; changes nothing
//	ApplyCommit(state, commit)         → state; cannot fail; the only other way to a new state
//	Next(state)                        → the moment the hub must wake it for, and the command to send it then
//	Engine.View(state, audience)       → what that audience may see: a flat map, deny by default
//	Views                              → the same, encoded and kept up to date for every audience
//
// A Command is what somebody asks for. An Event is a fact, complete with every
// die and number that came of it, so applying one needs no rules. The events of
// one command are a Commit, chained by hash to the one before. A State is the
// fold of its commits; it shares what did not change with the state before, so
// undo keeps every former state for next to nothing. Undo and redo are commits
// too.
//
// A Refusal is a code with parameters. Nobody reads its text: the browser has
// its own words for it.
//
// # The words
//
// An encounter has combatants and an order: a list of slots, one for each
// scheduled chance to act, in places that are frozen once made (C-01). The
// cursor is a slot; a slot is done at most once a round. The stack holds
// frames: the turn at the bottom, responses on top of it; the last one acts and
// those under it are suspended (C-06). A window is an open question about the
// action of a frame: may somebody answer it, before or after it happens?
// Budgets are named pools. Effects end at anchors: the start or end of a
// creature's turn, a count, the end of a round. Pending decisions are dice or
// choices that somebody owes.
//
// # The life of one interrupted turn
//
// Ana, at count 18, has her turn: the cursor has come to her slot, effects that
// last until the start of her turn have ended, her pools are full (C-09, steps
// 1 to 4). She moves past a goblin.
//
//  1. Move pays 10 feet of movement: Acted. Her frame now has an Action at
//     stage "".
//  2. Reaction windows are on and the goblin may attack: WindowOpened, asking
//     the goblin. The state has a deadline; the turn clock is held. Decide
//     stops here: settle sees a window that waits.
//  3. React from the goblin's player, the GM: the goblin is off the list of the
//     window, its reaction is paid, FramePushed. The stack is Ana, goblin. Its
//     attack totals 17 against 15: Staged, with every die. A hit may be answered
//     by who is hit, if she owns such a reaction: a window asks Ana, suspended
//     though her turn is.
//  4. React from Ana, shield: the stack is Ana, goblin, Ana. The shield resolves
//     at once: an effect, +5 to her armour class until the start of her next
//     turn.
//  5. EndTurn of that frame: FramePopped. settle goes on by itself with the
//     frame under it: its window has nobody left to ask and closes, the resume
//     check finds the goblin able (C-07), 17 against 20 misses: Resolved.
//  6. EndTurn of the goblin's frame: FramePopped. Ana's window closes, she can
//     still move: Moved. Her clock runs again with what was left on it; her
//     turn goes on with 20 feet and her action.
//
// At every step the state could be stored, sent, killed and loaded: there is no
// hidden continuation anywhere but in the frames.
//
// # Who sees what
//
// There are three kinds of audience: the GM, who sees everything; players, each
// seat with its own combatants besides; spectators. For each combatant two
// questions are answered, apart for players and for spectators. Is it there at
// all (SetHidden, perhaps until its first act)? And how much of it is to be
// seen: its hit points, armour class, conditions, count and dice, as the options
// say or as SetSight says for it alone?
//
// What an audience may not see is in nothing that it is sent. Numbers that hang
// on something unseen are worked out as if that were not there: the armour class
// without the spell, no tie with somebody whose count is secret. While somebody
// has the turn whom an audience may not see, time stands still for it where it
// has last seen somebody act (State.Last, State.LastFor).
//
// # Where things are
//
//	command.go event.go state.go    what can be asked, what can happen, what is known
//	decide.go and roster, opening, act, window, health, effect: the commands
//	order.go turn.go                places, rounds, the pipeline of a turn, settle
//	mutate.go apply.go history.go   facts into states; undo and redo
//	hidden.go sight.go              from whom somebody is hidden, and what is seen of it
//	viewer.go view.go viewstack.go  what an audience may see,
//	offers.go log.go logline.go     do and read
//	views.go layer.go encode.go     the same, encoded once and only when changed
//	system.go system_fit.go         the interface of a rule system, and how each fits it
//	dnd5e/                          Dungeons & Dragons 5e
//	scenario/ testdata/scenarios/   the test language and the rules in it
package combat
