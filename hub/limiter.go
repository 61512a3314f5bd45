package hub

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// maxLimited bounds how many senders a limiter tells apart; the one that was
// quiet longest is forgotten first.
const maxLimited = 10_000

// limiterOf limits how often each sender, known by a key, may do something.
type limiterOf[K comparable] struct {
	rate  rate.Limit
	burst int

	mu     sync.Mutex
	recent *list.List // of *limited[K], last seen first
	byKey  map[K]*list.Element
}

// teller is who asks for a log: holders of one token at one address. A link
// that many hold is not one person's to use up.
type teller struct {
	hash string
	from netip.Prefix
}

type limited[K comparable] struct {
	key     K
	limiter *rate.Limiter
}

func newLimiter[K comparable](perSecond float64, burst int) *limiterOf[K] {
	return &limiterOf[K]{rate: rate.Limit(perSecond), burst: burst, recent: list.New(), byKey: map[K]*list.Element{}}
}

// allow takes one turn for a sender, or says how long to wait for it.
func (l *limiterOf[K]) allow(key K) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	element := l.byKey[key]
	if element == nil {
		if l.recent.Len() >= maxLimited {
			oldest := l.recent.Back()
			delete(l.byKey, l.recent.Remove(oldest).(*limited[K]).key)
		}
		element = l.recent.PushFront(&limited[K]{key, rate.NewLimiter(l.rate, l.burst)})
		l.byKey[key] = element
	}
	l.recent.MoveToFront(element)
	return take(element.Value.(*limited[K]).limiter, time.Now())
}

// peek reports whether a sender has a turn left, without taking it, or says how
// long to wait for it.
func (l *limiterOf[K]) peek(key K) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	element := l.byKey[key]
	if element == nil {
		return 0, true
	}
	left := element.Value.(*limited[K]).limiter.Tokens()
	if left >= 1 {
		return 0, true
	}
	return time.Duration((1 - left) / float64(l.rate) * float64(time.Second)), false
}

// take takes one turn, or says how long to wait for it.
func take(limiter *rate.Limiter, now time.Time) (wait time.Duration, ok bool) {
	if limiter.AllowN(now, 1) {
		return 0, true
	}
	reservation := limiter.ReserveN(now, 1)
	defer reservation.CancelAt(now)
	return reservation.DelayFrom(now), false
}

// remote returns where a request comes from: an IPv4 address, or the /64 an
// IPv6 address is in, since one customer has all of it.
func remote(r *http.Request, trustProxy bool) netip.Prefix {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	if forwarded := r.Header.Values("X-Forwarded-For"); trustProxy && len(forwarded) > 0 {
		hops := strings.Split(forwarded[len(forwarded)-1], ",")
		host = strings.TrimSpace(hops[len(hops)-1])
	}
	address, err := netip.ParseAddr(host)
	if err != nil {
		return netip.Prefix{}
	}
	address = address.Unmap().WithZone("")
	bits := 32
	if address.Is6() {
		bits = 64
	}
	prefix, _ := address.Prefix(bits) // the length fits the address
	return prefix
}
