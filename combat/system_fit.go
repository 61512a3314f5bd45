package combat

// How the rules that other systems add are said in the terms of System. None
// needs a change outside its own package; system_fit_test.go plays them with a
// system made for the purpose.
//
//	SF-12  surprise round     Begin rolls for the aware (RollMissing), makes the order of round 0 (MakeOrder; Slots gives none
//	                          to the surprised), PlayRound(PhaseSurprise, 0); NewRound(1) rolls for the rest, who Join the order.
//	                          Pay allows the restricted turn while the phase is surprise.
//	SF-13  flat-footed        AC takes 2 from whoever is surprised, or under a condition that imposes it; CanReact refuses.
//	SF-14a before and after   ActionSpec.After: what is not purely defensive waits for its trigger; Asks says who is asked when.
//	SF-15  delay              Do(Delay): DelaySet, LeaveTurn, Advance. Do(ReturnFromDelay): the slot moves behind the cursor
//	                          (SetOrder, Moved: true), and when the turn that is going on ends, Enter goes on with it (ReenterTurn).
//	SF-15a said at once       the current turn is untouched (Frame.Touched): LeaveTurn, SetOrder with the delayer's slot before it
//	                          and the waiting slot not done, Advance; when the waiting slot comes up again, ReenterTurn.
//	SF-16  limits             a delayer's slot stays where it is until it returns; if it comes round first, Enter ends the delay
//	                          (LoseTurn) and begins a normal turn. A slot that has moved up and been played is Done.
//	SF-17  ready              Do(Ready) pays and emits ReadySet; Do(Release) calls Respond(FrameReadied) without touching the
//	                          reaction pool; Asks offers it before or after its trigger.
//	SF-18  place after ready  Do(Release) moves the slot (SetOrder) before or after that of Turn(), Done: true.
//	SF-19, SF-20 old place    a SlotUpkeep at a place that is still to come: BeginTurn runs there all but step 5, and Refresh gives
//	                          the reaction alone.
//	SF-21  count to count     Anchor answers AtCount with State.Count and round + N; the core ends it where that count is crossed
//	                          (C-04), whoever is there. sf.anchor=place: AtTurnStart of the one whose turn it is.
//	SF-23  stamina            Soak takes it out of a pool before hit points.
//	SF-24  recovery           TurnStart lets whoever can pay act (CanAct), and Pay lets it do nothing else.
//	LS-01  declaration        NewRound calls OpenDeclaration and owes everybody a Pending; Do(Declare) emits Planned (shown to others
//	                          only when all are in) and closes it. When none is owed, Declared calls MakeOrder and PlayRound.
//	                          TimeUp declares for the silent.
//	LS-05  actions per round  Slots gives one SlotAction for each action of the round, whatever their number.
//	LS-06, LS-07 counts       Slots computes each slot's count from the score, the plan and the weapon's modifiers (Stats
//	                          weapon.<name>.first and .next); counts are signed and exact.
//	LS-08  grips              two Stats pairs per weapon; Declared.Weapon names the pair.
//	LS-09  zero and below     Slots leaves out what is below zero, or, with carry, puts it first in the next round's plan.
//	LS-10  half actions       Marks remembers whether the last round's half was used.
//	LS-12  defence any time   ActionSpec{Reaction: true, Frame: FrameDefence}; CanReact and PayReaction ask for nothing; Begun counts
//	                          it in Marks, Refresh("round") starts the count again.
