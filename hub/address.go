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

// maxAddresses bounds how many remote addresses are told apart; the one that
// was quiet longest is forgotten first.
const maxAddresses = 10_000

// addressLimiter limits how often something may be done from one address.
type addressLimiter struct {
	rate  rate.Limit
	burst int

	mu     sync.Mutex
	recent *list.List // of *addressEntry, last seen first
	byAddr map[netip.Prefix]*list.Element
}

type addressEntry struct {
	address netip.Prefix
	limiter *rate.Limiter
}

func newAddressLimiter(perSecond float64, burst int) *addressLimiter {
	return &addressLimiter{rate: rate.Limit(perSecond), burst: burst, recent: list.New(), byAddr: map[netip.Prefix]*list.Element{}}
}

// allow takes one turn for an address, or says how long to wait for it.
func (l *addressLimiter) allow(address netip.Prefix) (wait time.Duration, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	element := l.byAddr[address]
	if element == nil {
		if l.recent.Len() >= maxAddresses {
			oldest := l.recent.Back()
			delete(l.byAddr, l.recent.Remove(oldest).(*addressEntry).address)
		}
		element = l.recent.PushFront(&addressEntry{address, rate.NewLimiter(l.rate, l.burst)})
		l.byAddr[address] = element
	}
	l.recent.MoveToFront(element)
	limiter := element.Value.(*addressEntry).limiter
	if limiter.Allow() {
		return 0, true
	}
	reservation := limiter.Reserve()
	defer reservation.Cancel()
	return reservation.Delay(), false
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
