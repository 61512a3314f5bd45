// Package scenario reads, plays and prints scenarios: short texts that play a
// fight and state what must be true. The same text plays in memory against the
// rules core and over HTTP against a running server; only the Table differs,
// and expectations are judged from views alone, so that both share one judge.
//
// # Text
//
// One statement a line. "#" starts a comment, words in double quotes may hold
// spaces, indentation is free. A file holds several scenarios, each begun by
//
//	scenario ID "title"
//	rules dnd5e
//	option reactionWindows=ask 5e.ties=rolloff
//
// An unknown word, a name that nobody was added under, and a scenario without
// any expect, sequence or !code are errors, told with file and line. Options
// come before anything else happens; "gm: option k=v" changes one later.
//
// # Who speaks
//
// A statement without a speaker is set-up, sent as the GM. "A: verb" is sent
// by A's owner, about A: a pc (side=party, or the word pc) has a seat of its
// own, made when it is added; an npc's owner is the GM. "gm: verb" is the GM.
// "gm/A: verb" is the GM acting for A, "B/A: verb" B's owner trying to act for
// A, "spectator/A: verb" a spectator trying to. "lair: act" is the GM.
//
// # Set-up
//
//	add A mod=2 hp=20 ac=16 speed=30 side=party pc
//	surprised C D                  alert C           (takes it back)
//	init A 18                      roll A 11         (11 is the face of the d20)
//	rolloff B 9                    tie B A           (B before A)
//	start
//
// Each may have a speaker too: "A: roll A 11" is A's player rolling, "A: add
// Owl" the same player adding a creature of its own.
//
// The name after add is the handle by which the scenario knows the combatant;
// name=Goblin shows it under another name, so that two may share one. Known
// fields are name, side, group, mod, init, hp, current, temp, ac, speed, seat
// (the combatant whose seat it shares), notes, answers=shield,counterspell,
// recharge.breath=5, and the words pc, npc and hidden. Every other
// key=integer is a stat of the rule system, "lair" alone is lair=1, and
// weapon.sword=-1/-6 is weapon.sword.first=-1 with weapon.sword.next=-6.
//
// # Acting
//
//	A: attack B hit 7              A: attack B total=17 damage=7     A: attack B miss
//	A: act castSpell "fireball" bonus level=3 targets B C provokes D
//	A: move 30 leaves B C difficult crawl forced          A: move stand
//	A: end      A: delay      A: return      A: hold      A: take      A: pass
//	A: ready attack B when "B shoots" defensive           A: release hit 4 done
//	B: react shield to A defensive ac=5 done              B: react opportunityAttack A hit 4
//	B: decline      D: legendary tail cost=2 done         lair: act "falling rocks"
//	K: declare sword bow+2 drawWeapon                     K: draft sword sword    K: withdraw
//	P: save death 12      W: save concentration 9         T: save con 15
//
// A bare name after attack, react or legendary is a target. "action", "bonus",
// or cost=POOL names the pool that pays. "hit", "hit 7", "miss", total=N,
// toHit=N, damage=2d6+3, kind=fire, critical and melee say what is known of
// the attack roll. "to A" answers the topmost frame of A. "force" is the GM's.
// "done" resumes what was interrupted at once, or ends the turn after an act;
// without it that is left to "end". A react or decline of somebody who is being
// asked answers that question. In declare, a word that is a weapon of the
// combatant is an attack with it ("+2" hastens it), any other word is a kind
// of action. A save takes the face of the die; without one the server rolls.
//
// # The GM
//
//	gm: damage B C 17 from A kind=fire critical melee     gm: heal B 5       gm: temp B 5
//	gm: kill B      gm: restore B      gm: remove B       gm: hide B         gm: show B
//	gm: hide B from players untilAct   gm: show B to spectators              gm: sight B for spectators hp=none count=no
//	gm: add N mod=5 init=12            gm: edit A ac=14   gm: assign A B     (A's seat is now B's)
//	gm: effect stunned on B from A until end of A next turn
//	gm: effect bless on A from B for 3 rounds concentration ac=2
//	gm: effect held on T from W save con 12      gm: effect burning on X turnDamage=5 kind=fire
//	gm: noeffect bless on A
//	gm: init A 12      gm: reorder B A      gm: setActive A      gm: grant A reaction 1
//	gm: spent K breath      gm: charged K breath      gm: undo      gm: redo
//	gm: window close        gm: end          gm: finish (the fight)      gm: reset
//	gm: clear (reset, and the party alone is left)
//
// damage, heal, temp, effect and noeffect may have a player for a speaker too,
// about its own: "A: damage A 7". Where that only proposes, the GM answers what
// A's player proposed, or A's player takes it back:
//
//	gm: accept A      gm: dismiss A      A: takeBack
//
// kill marks as defeated and restore takes the mark back. Of an effect,
// "until start|end of X next turn" follows X's turn; the word "next" may be
// left out, and "in 2 rounds" after it means the second one to come. Other
// words: until end of round, maxHp=, speed=, resist=, hidden.
//
// # Refusals
//
// A statement that must be refused ends in !code. The state must then be
// unchanged to the byte: the encoded state in memory, the GM's view over HTTP.
//
// # What must be true
//
//	expect turn A | none | lair         expect acting B         expect stack A B (bottom first) | none
//	expect round 2                      expect phase rounds     expect count 14
//	expect order A18 B12 C7             expect budget A action=1 bonus=0
//	expect reaction B yes|no            expect window B C | none
//	expect pending roll-off B C | none  expect hp B 3           expect temp B 5        expect ac C 15
//	expect state P dying|dead|stable|unconscious|up|defeated
//	expect effect stunned on B          expect no effect stunned on B      expect left bless on A 2
//	expect can A endTurn                expect cannot A act dash
//	expect declared K yes|no            expect holds K yes|no               expect plan K sword14 openDoor9 sword-1 lost
//	expect initiative A 14              expect readied A yes|no            expect surprised A yes|no
//	expect marks P 1 2 (death saves: successes, failures)                  expect charged D breath yes|no
//	expect hidden Shade from players|spectators|everybody
//	expect unseen Shade by players      expect seen B by spectators hp=bloodied ac=none count=14 conditions=prone turn=yes done=no
//	sequence A B C | A C
//
// The order has every slot of the round, done or not, as name and count; the
// lair's own slot is written "lair". The window lists whom it still has to
// ask. "unconscious" is anybody dying or stable, or under an effect of that
// name; "defeated" anybody dead or marked so. can and cannot read what the
// owner's view offers. hidden looks for the name and the id in all that they
// were sent, seen and unseen in what players without a seat, or spectators, see
// now: "none" is what they do not. A sequence states who acts from now on:
// its first name has the turn now, each turn but the last is ended by its
// owner, and "|" says that the next one is in the round after.
package scenario
