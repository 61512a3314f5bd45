// Package sim plays one table on several hubs in one process while everything
// between them goes wrong, and holds each step to what must be true. It has
// nothing but tests.
//
// # What is played
//
// One seed decides all: rules, options, how many instances, who does what when,
// and which faults come. A world stands for the Redis that all share, and does
// what the scripts of package redis do; in fair weather it passes the suites
// that the real stores pass. Each instance is a hub of its own behind an
// http.Server, reached over connections in memory; its link to the world is its
// store. A GM, two players and a spectator play over WebSockets, on any
// instance: what you.can offers, and hit points, hiding, undo. They come back
// elsewhere when they are cut off, and send what was not answered again under
// its id. In some runs there are programs beside them, which watch event streams
// and command and read over HTTP. The GM replaces links and removes a seat;
// somebody comes with each new link, and whoever had the old one goes on trying.
//
// Messages between an instance and the world are delayed, lost on the way there
// or on the way back, done twice, a while later too; frames are delayed against
// those of other audiences, doubled, and lost, with the bus's word and without;
// calls are lost and doubled. Instances are killed, stopped for longer than
// their lease, cut off in one direction or both, drained, made deaf. Their clocks
// show another time of day, are set, and go at other speeds. Screens lose their
// network without a word, sleep, reload. The world is replaced by an older copy.
//
// # What must be true
//
// After each step: what was acknowledged is in the log, but for what the world
// itself has lost; what was refused is not; no command is in it twice; its hash
// chain is unbroken; fences and moments do not go back; each audience's counter
// grows by one; time runs out once, and too soon by no more than the clocks
// differ; nobody takes itself for the owner when another has come. With each message that a screen gets: it shows the view of the
// state at its counter, folded from the log by the simulator itself and made
// from scratch; its counter does not go back while the history has one name, and
// misses nothing; spectators who are told later are not told sooner; no byte for
// anybody but the GM holds the name of somebody hidden; whoever has a token that
// was made void is shown nothing of what came after, and let in nowhere. What is
// read over HTTP is no older than what there was when it was asked for. When all
// is well again: everything is answered, no time is overdue, every screen shows
// the last there is, and who is here, and every void token is shut out, within 90
// seconds.
//
// # What a seed decides and what not
//
// Time is virtual (testing/synctest), so leases, beacons, deadlines and patience
// of minutes cost nothing, and who waits longer comes later. The plan of faults,
// the players' choices, what happens to each instance's messages, the dice, the
// ids and tokens come from the seed, and one processor runs it all. Not decided
// are the order in which goroutines run that are ready at one moment, which of
// several ready cases a select takes, and the order of maps: the runtime draws
// these anew each time. As each instance's messages draw their fate in the order
// in which they come, one other order changes what happens after it. So a seed
// that fails fails again often, not always: most that were found failed again in
// one of a few tries.
//
// # Running it
//
// Each failing seed says how to play it again, with a diary of what happened:
//
//	go test ./hub/sim -run 'TestSeeds$' -v -count=5 -seed=574
//
// make fuzz plays thousands.
package sim
