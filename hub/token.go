package hub

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"strconv"

	"github.com/google/uuid"

	"riposte/combat"
)

// tokenBytes is 128 random bits.
const tokenBytes = 16

// newToken makes a capability token, base64url.
func newToken() string {
	var raw [tokenBytes]byte
	rand.Read(raw[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(raw[:])
}

// hashToken returns the hash that is stored instead of a token, or an empty
// string for what cannot be a token at all.
func hashToken(token string) string {
	if len(token) != base64.RawURLEncoding.EncodedLen(tokenBytes) {
		return ""
	}
	sum := sha256.Sum256([]byte(token))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// authorise says who holds the token with this hash. It compares with every
// key there is, each in constant time. An empty key lets nobody in: that is
// how an imported seat, whose token nobody has, is stored.
func authorise(s *combat.State, hash string) (combat.Audience, bool) {
	var who combat.Audience
	found := false
	match := func(key string, audience combat.Audience) {
		if subtle.ConstantTimeCompare([]byte(key), []byte(hash)) == 1 && hash != "" {
			who, found = audience, true
		}
	}
	for _, role := range linkRoles {
		match(s.Keys[role], combat.Audience{Role: role})
	}
	for _, seat := range s.Seats {
		match(seat.Key, combat.Audience{Role: combat.RoleSeat, Seat: seat.ID})
	}
	return who, found
}

// seeing says what the holder of the token with this hash sees: the audience it
// is of or, for the GM, the one that as names.
func seeing(s *combat.State, hash, as string) (combat.Audience, *combat.Refusal) {
	who, allowed := authorise(s, hash)
	switch {
	case !allowed:
		return who, combat.Refuse("unauthorized")
	case as == "":
		return who, nil
	case who.Role != combat.RoleGM:
		return who, combat.Refuse("forbidden")
	}
	for _, role := range [...]string{combat.RolePlayer, combat.RoleSpectator} {
		if as == role {
			return combat.Audience{Role: role}, nil
		}
	}
	for _, seat := range s.Seats {
		if who = (combat.Audience{Role: combat.RoleSeat, Seat: seat.ID}); as == who.String() {
			return who, nil
		}
	}
	return who, combat.Refuse("bad_value", "field", "as")
}

// linkRoles are the roles that have a link of their own.
var linkRoles = [...]string{combat.RoleGM, combat.RolePlayer, combat.RoleSpectator}

// newLink makes the link that a command puts in the place of another. It is
// derived from the store's secret and the command, so that the command sent
// again is answered with the same link, after a restart too.
func (a *actor) newLink(command, role string) NewLink {
	mac := hmac.New(sha256.New, a.grant.Secret[:])
	mac.Write([]byte("link\x00" + string(a.id) + "\x00" + command))
	token := base64.RawURLEncoding.EncodeToString(mac.Sum(nil)[:tokenBytes])
	return NewLink{Role: role, Link: linkPath(a.id, token), Token: token}
}

// linkPath is the address of an encounter for the holder of a token. The
// token stands in the fragment, which browsers do not send.
func linkPath(encounter combat.ID, token string) string {
	return "/e/" + string(encounter) + "#" + token
}

// newLinks makes the tokens of the three links, and the hashes to store.
func newLinks() (tokens, keys map[string]string) {
	tokens, keys = map[string]string{}, map[string]string{}
	for _, role := range linkRoles {
		tokens[role] = newToken()
		keys[role] = hashToken(tokens[role])
	}
	return tokens, keys
}

// newEncounterID makes the id of an encounter.
func newEncounterID() combat.ID { return combat.ID(newUUID()) }

// newUUID makes a version 7 UUID.
func newUUID() string { return uuid.Must(uuid.NewV7()).String() }

// newSeatID makes the id of a seat: random, so that it tells nothing.
func newSeatID() combat.ID { return combat.ID("s" + rand.Text()[:10]) }

// parseCommandID reads the UUID a client chose for its command and writes it
// one way only, so that another spelling is not another command.
func parseCommandID(id string) (string, bool) {
	if len(id) != 36 {
		return "", false
	}
	parsed, err := uuid.Parse(id)
	return parsed.String(), err == nil
}

// expiryID derives the id of a command that time sends, from what runs out and
// when: after an undo the same window or turn may run out once more. It is not
// a bare UUID, so no client can take it first.
func expiryID(epoch string, next combat.Deadline) string {
	about := "turn/"
	switch c := next.Command.(type) {
	case combat.WindowExpired:
		about = "window/" + string(c.Window) + "/" + string(c.Asked)
	case combat.TurnExpired:
		about += string(c.Frame)
	}
	return "expired:" + uuid.NewSHA1(expirySpace, []byte(epoch+"/"+about+"/"+strconv.FormatInt(next.At, 10))).String()
}

// expirySpace is the name space of derived ids.
var expirySpace = uuid.MustParse("5f0f4a8e-6f0b-5d0a-9a53-5a6f1c1a7d10")
