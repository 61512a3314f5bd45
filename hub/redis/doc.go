// Package redis keeps encounters in Redis 7, for several instances: a plain
// server, one behind Sentinel, or a Cluster.
//
// # Layout
//
// All keys of an encounter carry its id as their hash tag, so that they lie on
// one node of a Cluster and one script may use them all:
//
//	riposte:{id}:meta       epoch, secret, fence, owner, run (which Redis it was),
//	                        past (epochs before, each with its last commit)
//	riposte:{id}:log        stream: commit n is entry n-0, field r
//	riposte:{id}:ids        16 bytes of each command's id → number and ack
//	riposte:{id}:lease      the owner, until it runs out
//	riposte:{id}:snapshots  number of a commit → snapshot
//	riposte:{id}:codes      sorted set: places of its short codes, until when
//	riposte:code:{key}      a short code, under the key derived from it
//	riposte:salt            what the keys of codes are derived with
//	riposte:{id}:to:A       channel of audience A: frames, notices
//	riposte:{id}:calls      channel of questions to the owner
//	riposte:inbox:{i}       channel of answers to instance i
//	riposte:probe:{i.n}     channels on which instance i hears itself
//
// # What an acknowledgement is worth
//
// One script checks epoch, fence, command and head, adds the commits, remembers
// the commands, extends the lease and publishes. With appendonly yes and
// appendfsync always, Redis has it on disk before it answers, and before it
// hands a frame to anybody: it writes its file before it writes to clients. A
// crash of Redis or of its machine then loses nothing that was acknowledged or
// shown.
//
// A replica that takes over may lag. With Options.Replicas an append is
// acknowledged only once so many replicas have it too; in Redis itself,
// min-replicas-to-write and min-replicas-max-lag stop a primary that was cut off
// from taking what nobody will have. Without them, a fail-over may lose what was
// acknowledged in the last moments. That is never silent: the owner finds the
// log shorter than it knows (SEQ), and whoever acquires an encounter on another
// Redis than the one of before gives its history a new epoch, so that every
// screen gets a whole view and no counter of before counts. The epochs before are
// kept, each with how much of it is there, so that a screen can be told that
// something it has shown is gone.
//
// Redis must not evict: with a maxmemory-policy other than noeviction it may
// drop an encounter. What is left of one is told from a whole one
// (hub.ErrCorrupt); Open warns of settings that lose data.
//
// # Owners
//
// The fence grows with each owner and the script refuses all but the last, so a
// lease that runs out early or late costs time and never a second history. The
// owner extends its lease with every append and otherwise at a third of it, as
// long as the log has the last commit it knows of, and takes it for lost by its
// own clock after four fifths.
//
// # Hearing
//
// An instance has one connection for subscriptions, on a Cluster one to each
// node that it needs. It publishes to itself on each, and one that it does not
// hear from for a while is closed and made anew: it may be open and deaf, after
// a fail-over for example. Nothing of the client library's own resubscription
// is used: whenever a connection ends, all that was subscribed on it is asked
// for again where it is now, and each subscriber is told that it may have missed
// something. What waits for a subscriber is bounded; over the bound, that is
// what it is told as well.
package redis
