package hub

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"riposte/combat"
)

// Config is what a hub is made of. Engine and Store are required.
type Config struct {
	Engine *combat.Engine
	Store  Store
	Dice   combat.Dice // nil: Dice
	// Clock is the time of day, which goes into commits and is held against
	// deadlines; nil: this machine's.
	Clock  func() time.Time
	Log    *slog.Logger          // nil: nothing is logged
	Meter  prometheus.Registerer // nil: nothing is registered
	Schema []byte                // answer to GET /api/schema
	// Origins are the hosts, besides the one a request names itself, whose
	// pages may open a socket.
	Origins []string
	// TrustProxy takes a client's address from the last X-Forwarded-For.
	TrustProxy bool
	// Room says whether there is room on the disk for new encounters; nil:
	// always. It is asked for each.
	Room   func() error
	Limits Limits
}

// Limits bounds what strangers can use up. Zero values take the defaults.
type Limits struct {
	Encounters     int           // open at a time; default 10,000
	Seats          int           // per encounter; default 64
	Viewers        int           // sockets and event streams, of all encounters; default 50,000
	Strangers      int           // sockets that have not said whose they are; default 2,000
	AddressViewers int           // sockets and event streams of one address; default 1,000
	RoomViewers    int           // of the player and spectator links, per encounter; default 5,000
	Commits        uint64        // per encounter, ever; default 100,000
	Bytes          int64         // of an encounter in the journal; default 256 MiB
	Remembered     int           // outcomes of accepted commands in memory, per encounter; default 4096
	SnapshotEvery  int           // commits between two snapshots, and that undo reaches back after a load; default 1000
	QueueBytes     int           // waiting for one viewer; default 512 KiB
	DelayBytes     int           // waiting for the time of an encounter's delayed spectators; default 4 MiB
	KeptBytes      int64         // updates kept for those who come back and for delayed spectators, of all encounters; default 1 GiB
	MessageBytes   int           // one message from a client; default 256 KiB
	ImportBytes    int           // an encounter to import; default 8 MiB
	CommandRate    float64       // messages per second and socket; default 50
	CommandBurst   int           // default 100
	CreateRate     float64       // encounters and seats per second and address; default 2
	CreateBurst    int           // default 200
	FailRate       float64       // unknown tokens and encounters per second and address; default 5
	FailBurst      int           // default 200
	ImportRate     float64       // imports per second and address; default 0.2
	ImportBurst    int           // default 20
	PreviewRate    float64       // files with creatures per second and address; default 0.5
	PreviewBurst   int           // default 15
	LogRate        float64       // logs told anew per second, token and address; default 0.5
	LogBurst       int           // default 10
	IdleTime       time.Duration // an encounter without viewers stays in memory; default 30 s
	HelloTimeout   time.Duration // default 5 s
	WriteTimeout   time.Duration // of one write to a viewer; default 5 s
	AppendTimeout  time.Duration // the journal may fail to answer; default 15 s
}

// callFactor is how many requests over HTTP one token has for each message of
// a socket, since a program reads the view after each command. It is also how
// many commands an audience has, from all its sockets and requests.
const callFactor = 4

func (l *Limits) fill() {
	setDefault(&l.Encounters, 10_000)
	setDefault(&l.Seats, 64)
	setDefault(&l.Viewers, 50_000)
	setDefault(&l.Strangers, 2_000)
	setDefault(&l.AddressViewers, 1_000)
	setDefault(&l.RoomViewers, 5_000)
	setDefault(&l.Commits, 100_000)
	setDefault(&l.Bytes, 256<<20)
	setDefault(&l.Remembered, 4096)
	setDefault(&l.SnapshotEvery, 1000)
	setDefault(&l.QueueBytes, 512<<10)
	setDefault(&l.DelayBytes, 4<<20)
	setDefault(&l.KeptBytes, 1<<30)
	setDefault(&l.MessageBytes, 256<<10)
	setDefault(&l.ImportBytes, 8<<20)
	setDefault(&l.CommandRate, 50)
	setDefault(&l.CommandBurst, 100)
	setDefault(&l.CreateRate, 2)
	setDefault(&l.CreateBurst, 200)
	setDefault(&l.FailRate, 5)
	setDefault(&l.FailBurst, 200)
	setDefault(&l.ImportRate, 0.2)
	setDefault(&l.ImportBurst, 20)
	setDefault(&l.PreviewRate, 0.5)
	setDefault(&l.PreviewBurst, 15)
	setDefault(&l.LogRate, 0.5)
	setDefault(&l.LogBurst, 10)
	setDefault(&l.IdleTime, 30*time.Second)
	setDefault(&l.HelloTimeout, 5*time.Second)
	setDefault(&l.WriteTimeout, 5*time.Second)
	setDefault(&l.AppendTimeout, 15*time.Second)
}

func setDefault[T comparable](value *T, usual T) {
	var zero T
	if *value == zero {
		*value = usual
	}
}

// Hub serves encounters. Its methods may be called from any goroutine.
type Hub struct {
	instance  string // tells this hub from those of other instances
	engine    *combat.Engine
	store     Store
	dice      combat.Dice
	log       *slog.Logger
	metrics   *metrics
	config    Config
	limits    Limits
	created   *limiterOf[netip.Prefix] // encounters and seats, by remote address
	failed    *limiterOf[netip.Prefix] // unknown tokens, by remote address
	imported  *limiterOf[netip.Prefix] // imports, by remote address
	previewed *limiterOf[netip.Prefix] // files with creatures, by remote address
	called    *limiterOf[string]       // requests about an encounter, by hash of the token
	told      *limiterOf[teller]       // logs told anew
	receiving places                   // imports being read
	reading   places                   // files with creatures being read
	decoding  places                   // either being decoded
	telling   places                   // logs being told anew
	// stretching is what is derived from codes.
	stretching places

	viewers   crowd
	kept      atomic.Int64  // bytes of updates, see actor.weigh
	strangers places        // sockets that have not said whose they are
	draining  chan struct{} // closed when this instance goes down
	stop      context.CancelFunc
	running   context.Context // over when nothing may wait any longer
	actors    sync.WaitGroup

	checking sync.Mutex // over the one below
	check    *check     // the last one, maybe under way

	mu     sync.Mutex             // over the two below
	open   map[combat.ID]*actor   // encounters in memory
	broken map[combat.ID]struct{} // those whose log cannot be read: not tried again
}

// New makes a hub. Close it with Shutdown.
func New(config Config) *Hub {
	if config.Dice == nil {
		config.Dice = Dice{}
	}
	if config.Clock == nil {
		config.Clock = time.Now
	}
	if config.Log == nil {
		config.Log = slog.New(slog.DiscardHandler)
	}
	if config.Meter == nil {
		config.Meter = prometheus.NewRegistry()
	}
	config.Limits.fill()
	h := &Hub{
		instance: newUUID(),
		engine:   config.Engine, store: config.Store, dice: config.Dice, log: config.Log,
		metrics: newMetrics(config.Meter), config: config, limits: config.Limits,
		created:   newLimiter[netip.Prefix](config.Limits.CreateRate, config.Limits.CreateBurst),
		failed:    newLimiter[netip.Prefix](config.Limits.FailRate, config.Limits.FailBurst),
		imported:  newLimiter[netip.Prefix](config.Limits.ImportRate, config.Limits.ImportBurst),
		previewed: newLimiter[netip.Prefix](config.Limits.PreviewRate, config.Limits.PreviewBurst),
		told:      newLimiter[teller](config.Limits.LogRate, config.Limits.LogBurst),
		receiving: make(places, maxReceiving), reading: make(places, maxReceiving), decoding: make(places, maxDecoding), telling: make(places, maxTelling),
		stretching: make(places, 1),
		strangers:  make(places, config.Limits.Strangers),
		viewers:    crowd{limit: config.Limits.Viewers, each: config.Limits.AddressViewers, by: map[netip.Prefix]int{}},
		called:     newLimiter[string](callFactor*config.Limits.CommandRate, callFactor*config.Limits.CommandBurst),
		draining:   make(chan struct{}), open: map[combat.ID]*actor{}, broken: map[combat.ID]struct{}{},
	}
	h.running, h.stop = context.WithCancel(context.Background())
	return h
}

// now is the time of day.
func (h *Hub) now() time.Time { return h.config.Clock() }

// Bounds on imports under way, of all addresses.
const (
	maxReceiving = 16
	maxDecoding  = 2
)

// places are a fixed number of places that requests take or are refused.
type places chan struct{}

// enter takes a place, to be given back with exit. It reports false when there
// is none.
func (p places) enter() bool {
	select {
	case p <- struct{}{}:
		return true
	default:
		return false
	}
}

// await takes a place as soon as there is one. It reports false when ctx is over
// before.
func (p places) await(ctx context.Context) bool {
	select {
	case p <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p places) exit() { <-p }

// Errors of opening an encounter, besides ErrNotFound.
var (
	errFull     = errors.New("hub: too many encounters are open")
	errDraining = errors.New("hub: this instance is going down")
	errBroken   = errors.New("hub: the encounter's log cannot be read")
	errGone     = errors.New("hub: the encounter was put away")
)

// find returns the actor of an encounter, bringing it back from the journal if
// it is not in memory.
func (h *Hub) find(ctx context.Context, id combat.ID) (*actor, error) {
	if len(id) == 0 || len(id) > maxIDLength {
		return nil, ErrNotFound
	}
	h.mu.Lock()
	if _, broken := h.broken[id]; broken {
		h.mu.Unlock()
		return nil, errBroken
	}
	a := h.open[id]
	if a == nil {
		switch {
		case h.isDraining():
			h.mu.Unlock()
			return nil, errDraining
		case len(h.open) >= h.limits.Encounters:
			h.mu.Unlock()
			return nil, errFull
		}
		a = newActor(h, id)
		h.open[id] = a
		h.actors.Add(1)
		go a.run()
	}
	h.mu.Unlock()
	select {
	case <-a.ready:
		return a, a.failed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// maxIDLength bounds the id of an encounter, which is a UUID.
const maxIDLength = 64

// maxBroken bounds how many broken encounters are remembered. Of more than
// that, one is tried again when somebody wants it.
const maxBroken = 1024

// quarantine keeps a broken encounter from being brought back again.
func (h *Hub) quarantine(id combat.ID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.broken) >= maxBroken {
		for other := range h.broken {
			delete(h.broken, other)
			break
		}
	}
	h.broken[id] = struct{}{}
}

// forget takes an actor off the list: from now on find makes a new one.
func (h *Hub) forget(a *actor) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open[a.id] == a {
		delete(h.open, a.id)
	}
}

func (h *Hub) isDraining() bool {
	select {
	case <-h.draining:
		return true
	default:
		return false
	}
}

// ask has the actor of an encounter do something that is answered once, and
// waits for the answer. send puts the question into a mailbox and reports
// false when the actor was put away; then a new one is asked.
func ask[T any](ctx context.Context, h *Hub, id combat.ID, send func(*actor, chan<- T) error) (T, error) {
	var none T
	for {
		a, err := h.find(ctx, id)
		if err != nil {
			return none, err
		}
		answer := make(chan T, 1)
		if err := send(a, answer); err != nil {
			if errors.Is(err, errGone) {
				continue
			}
			return none, err
		}
		if got, err := await(ctx, a, answer); !errors.Is(err, errGone) {
			return got, err
		}
	}
}

// await waits for an actor's answer. errGone when the actor was put away first.
func await[T any](ctx context.Context, a *actor, answer <-chan T) (T, error) {
	var none T
	select {
	case got := <-answer:
		return got, nil
	case <-ctx.Done():
		return none, ctx.Err()
	case <-a.done:
		select {
		case got := <-answer:
			return got, nil
		default:
			return none, errGone
		}
	}
}

// readyFor is how long an answer of the store counts: anybody may ask, and
// asking costs a write.
const readyFor = time.Second

// readyTimeout bounds how long the store may take to answer.
const readyTimeout = 2 * time.Second

// check is one question to the store whether it is ready.
type check struct {
	begun time.Time
	done  chan struct{}
	err   error // set before done is closed
}

// Ready reports whether this instance can take commands: it is not going down
// and the store answers.
func (h *Hub) Ready(ctx context.Context) error {
	c := h.checkStore()
	if c == nil || h.isDraining() {
		return errDraining
	}
	select {
	case <-c.done:
		return c.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// checkStore returns the last check if it is new enough or under way, else
// begins one; nil when this instance goes down. No caller's context has a part
// in it, for its answer is everybody's.
func (h *Hub) checkStore() *check {
	h.checking.Lock()
	defer h.checking.Unlock()
	if c := h.check; c != nil {
		select {
		case <-c.done:
			if time.Since(c.begun) < readyFor {
				return c
			}
		default:
			return c
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isDraining() {
		return nil
	}
	c := &check{begun: time.Now(), done: make(chan struct{})}
	h.check = c
	h.actors.Go(func() {
		defer close(c.done)
		ctx, cancel := context.WithTimeout(h.running, readyTimeout)
		defer cancel()
		c.err = h.store.Ready(ctx)
	})
	return c
}

// Shutdown ends all encounters in good order: what was taken is finished,
// viewers are told to come back, spread over a moment. It returns when all is
// done or ctx is over. The store is the caller's to close.
func (h *Hub) Shutdown(ctx context.Context) error {
	h.mu.Lock()
	if !h.isDraining() {
		close(h.draining)
	}
	h.mu.Unlock()
	defer h.stop()
	done := make(chan struct{})
	go func() {
		h.actors.Wait()
		h.waitViewers(ctx)
		close(done)
	}()
	select {
	case <-done:
		return ctx.Err()
	case <-ctx.Done():
		h.stop()
		<-done
		return ctx.Err()
	}
}
