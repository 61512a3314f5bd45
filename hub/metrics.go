package hub

import "github.com/prometheus/client_golang/prometheus"

// Reasons for which a viewer is dropped, as the metrics name them.
const (
	dropSlow         = "slow"          // it asks and does not read the answers
	dropWriteTimeout = "write_timeout" // one write took too long
	dropWriteError   = "write_error"   // the connection broke
	dropSilent       = "silent"        // it does not answer pings
	dropHello        = "hello_timeout" // it did not say who it is in time
	dropTooLarge     = "too_large"     // a message over the limit
	dropBinary       = "binary"        // a binary frame
	dropMalformed    = "malformed"     // the first message was no hello
	dropUnauthorized = "unauthorized"  // its token is not, or no longer, good
	dropNotFound     = "not_found"     // no such encounter
	dropFlood        = "flood"         // it went on sending though refused for speed
	dropLimit        = "limit"         // too many viewers
	dropUnavailable  = "unavailable"   // the encounter cannot be served now
	dropDraining     = "draining"      // this instance is going down
)

// Places where a panic is caught, as the metrics name them.
const (
	panicActor  = "actor"
	panicDecide = "decide"
	panicHTTP   = "http"
	panicReplay = "replay"
)

// metrics are the counters of one hub.
type metrics struct {
	encounters  prometheus.Gauge
	viewers     *prometheus.GaugeVec
	commands    *prometheus.CounterVec
	decide      prometheus.Histogram
	appends     prometheus.Histogram
	group       prometheus.Histogram
	updates     prometheus.Counter
	writes      prometheus.Counter
	written     prometheus.Counter
	overflows   prometheus.Counter
	drops       *prometheus.CounterVec
	panics      *prometheus.CounterVec
	quarantined prometheus.Counter
	retries     prometheus.Counter
	refused     *prometheus.CounterVec
	shortened   prometheus.Counter
	edges       prometheus.Gauge
	fetches     prometheus.Counter
	takeovers   prometheus.Counter
	replays     prometheus.Histogram
	kept        prometheus.Gauge
	forgotten   prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	counter := func(name, help string) prometheus.Counter {
		c := prometheus.NewCounter(prometheus.CounterOpts{Name: "riposte_" + name, Help: help})
		r.MustRegister(c)
		return c
	}
	// Those known beforehand are there from the start, at 0: a counter that
	// appears at 1 has not increased for whoever watches it.
	counters := func(name, help, label string, known ...string) *prometheus.CounterVec {
		c := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "riposte_" + name, Help: help}, []string{label})
		r.MustRegister(c)
		for _, value := range known {
			c.WithLabelValues(value)
		}
		return c
	}
	histogram := func(name, help string, buckets []float64) prometheus.Histogram {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "riposte_" + name, Help: help, Buckets: buckets})
		r.MustRegister(h)
		return h
	}
	seconds := []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .25, 1, 5}
	m := &metrics{
		encounters: prometheus.NewGauge(prometheus.GaugeOpts{Name: "riposte_encounters_open", Help: "Encounters held in memory."}),
		viewers:    prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "riposte_viewers", Help: "Open sockets and event streams."}, []string{"kind"}),
		commands:   counters("commands_total", "Commands answered, by outcome: ok, repeated, or the refusal's code.", "outcome"),
		decide:     histogram("decide_seconds", "Time to decide one command and make its frames.", seconds),
		appends:    histogram("append_seconds", "Time until the journal has an entry durably.", seconds),
		group:      histogram("append_commits", "Commits that share one journal entry.", []float64{1, 2, 4, 8, 16, 32, 64}),
		updates:    counter("updates_total", "Updates put into viewers' queues."),
		writes:     counter("writes_total", "Frames written to viewers."),
		written:    counter("written_bytes_total", "Bytes written to viewers, before framing."),
		overflows:  counter("queue_overflows_total", "Times a viewer's updates gave way to a whole view."),
		drops: counters("drops_total", "Viewers dropped, by reason.", "reason", dropSlow, dropWriteTimeout, dropWriteError, dropSilent, dropHello, dropTooLarge,
			dropBinary, dropMalformed, dropUnauthorized, dropNotFound, dropFlood, dropLimit, dropUnavailable, dropDraining),
		panics:      counters("panics_total", "Panics caught, by place.", "place", panicActor, panicDecide, panicHTTP, panicReplay),
		quarantined: counter("quarantined_total", "Encounters that could not be brought back from the journal."),
		retries:     counter("append_retries_total", "Appends whose outcome was unknown and that were repeated."),
		refused:     counters("append_refused_total", "Appends that the journal refused, by answer: FENCED and EPOCH for an owner that is none any more, SEQ for a log that ends elsewhere.", "answer", FENCED.String(), EPOCH.String(), SEQ.String()),
		shortened:   counter("log_shortened_total", "Logs found to lack commands that were acknowledged."),
		kept:        prometheus.NewGauge(prometheus.GaugeOpts{Name: "riposte_kept_bytes", Help: "Updates kept in memory for those who come back and for delayed spectators."}),
		forgotten:   counter("kept_gave_way_total", "Times an encounter let half of its kept updates go because all together were too many."),
		edges:       prometheus.NewGauge(prometheus.GaugeOpts{Name: "riposte_edges", Help: "Encounters shown here that another instance owns."}),
		fetches:     counter("edge_fetches_total", "Times an audience's view was fetched from the owner because something may have been missed."),
		takeovers:   counter("takeovers_total", "Encounters taken over with those who were connected here."),
		replays:     histogram("replay_seconds", "Time to bring an encounter back from the journal.", seconds),
	}
	r.MustRegister(m.encounters, m.viewers, m.edges, m.kept)
	return m
}
