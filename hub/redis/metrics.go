package redis

import "github.com/prometheus/client_golang/prometheus"

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
	r.MustRegister(m.leases, m.lost, m.links, m.reconnect, m.missed, m.resent)
	return m
}
