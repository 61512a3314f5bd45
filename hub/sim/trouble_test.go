package sim

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"riposte/hub"
)

// instance is one of those that serve the table: a hub with a server, and what
// it has of the world.
type instance struct {
	run        *run
	n          int
	generation int
	name       string
	weather    *weather

	mu   sync.Mutex
	busy bool          // something is happening to it
	off  time.Duration // how far its clock is off
	pace float64       // how fast it goes
	down bool
	port *port
	link *link
	hub  *hub.Hub
	http *http.Server
}

// start starts it, or starts it anew: another process, with nothing of the one
// before.
func (i *instance) start() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.generation++
	i.name = fmt.Sprintf("i%d.%d", i.n, i.generation)
	if i.weather == nil {
		i.weather = newWeather(i.run.seed, uint64(10+i.n))
	}
	i.off = i.run.anyOff()
	i.port, i.link = newPort(), newLink(i.run.world, i.name, i.weather, i.pace)
	i.hub = hub.New(hub.Config{Engine: i.run.engine, Store: i.link, Clock: i.clock, Limits: i.run.limits, Log: slog.New(&diarist{i.run, i.name})})
	i.http = &http.Server{Handler: i.hub.Handler()}
	i.down = false
	server, port := i.http, i.port
	i.run.ending.Go(func() { _ = server.Serve(port) }) // it ends with the port
}

// clock is the time of day as it is there.
func (i *instance) clock() time.Time {
	i.mu.Lock()
	defer i.mu.Unlock()
	return time.Now().Add(i.off)
}

// anyOff is how far a clock may be off.
func (r *run) anyOff() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Duration(r.clocks.Int64N(int64(2*r.skew+1))) - r.skew
}

// diarist writes what a hub logs into the run's diary.
type diarist struct {
	run  *run
	name string
}

// Enabled, Handle, WithAttrs and WithGroup implement slog.Handler.
func (d *diarist) Enabled(context.Context, slog.Level) bool { return true }

func (d *diarist) Handle(_ context.Context, r slog.Record) error {
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	d.run.note("%s: %s", d.name, text)
	return nil
}

func (d *diarist) WithAttrs([]slog.Attr) slog.Handler { return d }
func (d *diarist) WithGroup(string) slog.Handler      { return d }

// dial opens a connection to it, and says by which name it goes now.
func (i *instance) dial() (*conn, string, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.down {
		return nil, i.name, errDown
	}
	c, err := i.port.dial()
	return c, i.name, err
}

// kill ends the process without a word.
func (i *instance) kill() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.down = true
	i.port.die()
	i.link.die()
	i.bury(i.hub, i.http, i.link)
}

// bury ends the goroutines of a process that is no more. Nothing of what they do
// reaches anybody.
func (i *instance) bury(dead *hub.Hub, server *http.Server, l *link) {
	i.run.ending.Go(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		_ = dead.Shutdown(now) // it says that there was no time
		_ = server.Close()
		l.work.Wait()
	})
}

// drain ends it in good order.
func (i *instance) drain() {
	if !i.closes() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := i.hub.Shutdown(ctx); err != nil {
		i.run.note("%s does not drain in time: %v", i.name, err)
	}
	_ = i.http.Close()
	_ = i.link.Close() // it is open
}

// closes closes the port, if it is open.
func (i *instance) closes() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.down {
		return false
	}
	i.down = true
	i.port.close()
	return true
}

// trouble is the time in which everything goes wrong.
func (r *run) trouble(length time.Duration) {
	end := time.Now().Add(length)
	r.storm(true)
	image := r.imaged()
	restores := r.random.IntN(4) == 0
	var under sync.WaitGroup
	for time.Now().Before(end) {
		time.Sleep(time.Duration(r.random.Int64N(int64(4 * time.Second))))
		i, d := pick(&player{random: r.random}, r.instances), time.Duration(r.random.Int64N(int64(14*time.Second)))
		fault := r.random.IntN(13)
		switch fault {
		case 0:
			if restores {
				r.restore(image)
				image = r.imaged()
			}
			continue
		case 1:
			image = r.imaged()
			continue
		case 12:
			if r.skew > 0 {
				off := r.anyOff()
				r.happens("clock", "the clock of %s is %s off", i.setClock(off), off)
			}
			continue
		case 2:
			c := pick(&player{random: r.random}, r.all())
			under.Go(func() { c.vanish(d) })
			continue
		}
		if !i.take() {
			continue
		}
		one := r.random.IntN(3)
		under.Go(func() {
			defer i.give()
			r.strike(i, fault, one, d)
		})
	}
	under.Wait()
	r.reading.Wait()
	r.storm(false)
}

// setClock sets its clock, ahead or back, and returns its name.
func (i *instance) setClock(off time.Duration) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.off = off
	return i.name
}

// strike is one thing that happens to an instance.
func (r *run) strike(i *instance, fault, one int, d time.Duration) {
	switch fault {
	case 3, 4:
		r.happens("kill", "%s is killed, and back in %s", i.name, d)
		i.kill()
		time.Sleep(d)
		i.start()
	case 5, 6:
		r.happens("stop", "%s is stopped for %s", i.name, d)
		i.link.awake.shut()
		i.port.hold()
		time.Sleep(d / 2)
		for _, c := range r.all() { // what they are told then may be no older than what others were told before
			r.reading.Go(func() { c.read(roadTo(i)) })
		}
		time.Sleep(d / 2)
		i.link.awake.open()
		i.port.release()
	case 7, 8:
		r.happens("cut", "%s is cut off for %s, way %d", i.name, d, one)
		if one != 1 {
			i.link.out.shut()
		}
		if one != 2 {
			i.link.in.shut()
		}
		if d > 5*time.Second { // it is noticed, or the connection ends
			i.link.deafen()
		}
		time.Sleep(d)
		i.link.out.open()
		i.link.in.open()
		i.link.mend()
	case 9:
		r.happens("drain", "%s drains", i.name)
		i.drain()
		time.Sleep(d / 4)
		i.start()
	case 10, 11:
		r.happens("deaf", "%s hears nothing for %s", i.name, d/4)
		i.link.deafen()
		time.Sleep(d / 4)
		i.link.mend()
	}
}

func (r *run) happens(what, format string, args ...any) {
	r.note(format, args...)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults[what]++
}

// take reports whether nothing is happening to an instance, and that something
// is from now on.
func (i *instance) take() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.busy {
		return false
	}
	i.busy = true
	return true
}

func (i *instance) give() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.busy = false
}

// storm begins or ends the mishaps of single messages.
func (r *run) storm(storm bool) {
	r.weather.set(storm)
	for _, i := range r.instances {
		i.weather.set(storm)
	}
}

func (r *run) imaged() image {
	r.world.mu.Lock()
	defer r.world.mu.Unlock()
	return r.world.image()
}

// restore puts an older copy in the place of the world. All connections to it
// end.
func (r *run) restore(from image) {
	r.world.mu.Lock()
	lost := r.world.restore(from)
	r.oracle.forget(lost)
	r.world.mu.Unlock()
	r.mu.Lock()
	r.restored = time.Now()
	r.mu.Unlock()
	r.happens("restore", "the world is an older one: %d commands are lost", len(lost))
	for _, i := range r.instances {
		if i.take() {
			i.link.deafen()
			i.link.mend()
			i.give()
		}
	}
}

// vanish cuts a screen off without telling it or the instance.
func (c *screen) vanish(d time.Duration) {
	c.mu.Lock()
	conn := c.conn
	c.mu.Unlock()
	if conn == nil {
		return
	}
	c.run.happens("vanish", "%s is in a tunnel for %s", c.name, d)
	conn.hold()
	time.Sleep(d)
	conn.release()
}
