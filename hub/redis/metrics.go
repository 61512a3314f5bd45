package redis

import "github.com/prometheus/client_golang/prometheus"

// Reasons for which a subscription connection is given up, as the metrics name
// them.
const (
	brokenClosed = "closed"
	brokenDeaf   = "deaf" // it did not hear its own probes
	brokenError  = "error"
)

// Reasons for which a subscriber may have missed something.
const (
	missedOverflow     = "overflow" // it did not keep up
	missedResubscribed = "resubscribed"
)

// metrics are what an operator has to know of one store.
type metrics struct {
	leases    prometheus.Gauge
	lost      prometheus.Counter
	links     prometheus.Gauge
	reconnect *prometheus.CounterVec
	missed    *prometheus.CounterVec
	resent    prometheus.Counter
}

func newMetrics(r prometheus.Registerer) *metrics {
	m := &metrics{
		leases: prometheus.NewGauge(prometheus.GaugeOpts{Name: "riposte_redis_leases", Help: "Encounters that this instance owns."}),
		lost:   prometheus.NewCounter(prometheus.CounterOpts{Name: "riposte_redis_leases_lost_total", Help: "Leases that ran out or that another instance took."}),
		links:  prometheus.NewGauge(prometheus.GaugeOpts{Name: "riposte_redis_subscriptions", Help: "Connections on which this instance hears itself."}),
		reconnect: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "riposte_redis_resubscriptions_total",
			Help: "Subscription connections given up, by reason: deaf when it did not hear its own probes."}, []string{"reason"}),
		missed: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "riposte_redis_missed_total",
			Help: "Times a subscriber was told that it may have missed something, by reason."}, []string{"reason"}),
		resent: prometheus.NewCounter(prometheus.CounterOpts{Name: "riposte_redis_calls_resent_total", Help: "Calls to an owner that were sent again for want of an answer."}),
	}
	// There from the start, at 0: a counter that appears at 1 has not increased
	// for whoever watches it.
	for _, reason := range []string{brokenClosed, brokenDeaf, brokenError} {
		m.reconnect.WithLabelValues(reason)
	}
	for _, reason := range []string{missedOverflow, missedResubscribed} {
		m.missed.WithLabelValues(reason)
	}
	r.MustRegister(m.leases, m.lost, m.links, m.reconnect, m.missed, m.resent)
	return m
}
