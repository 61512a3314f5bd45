package hub

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"

	"riposte/combat"
)

// A short code stands for a link, for people who read it out or type it. The
// store has it under a key, and what it opens is sealed with a secret; both are
// derived from the code, slowly, so that who has a copy of the store cannot try
// all codes there are.

// codeBytes is 40 random bits, eight letters.
const codeBytes = 5

// codeRounds makes trying one code take some 30 ms of one core.
const codeRounds = 50_000

// codeLetters are those of Crockford's base 32: no I, L, O and U, so that no
// two look alike. Whoever types one of the first three means 1 or 0.
var codeLetters = base32.NewEncoding("0123456789ABCDEFGHJKMNPQRSTVWXYZ").WithPadding(base32.NoPadding)

// newCode makes a code, in plain letters.
func newCode() string {
	var raw [codeBytes]byte
	rand.Read(raw[:]) // never fails
	return codeLetters.EncodeToString(raw[:])
}

// showCode writes a code the way people read it.
func showCode(code string) string { return code[:4] + "-" + code[4:] }

// maxTyped bounds what is looked at as a code.
const maxTyped = 64

// readCode reads what somebody has typed, or reports that it is no code.
func readCode(typed string) (string, bool) {
	if len(typed) > maxTyped {
		return "", false
	}
	code := strings.NewReplacer("-", "", " ", "", "O", "0", "I", "1", "L", "1").Replace(strings.ToUpper(typed))
	raw, err := codeLetters.DecodeString(code)
	return code, err == nil && len(raw) == codeBytes && len(code) == codeLetters.EncodedLen(codeBytes)
}

// codeKeys derives from a code the key under which the store has it, and the
// secret that seals what it opens.
func codeKeys(code string, salt [32]byte) (key string, secret []byte) {
	// None of the three fails with these lengths.
	slow, err := pbkdf2.Key(sha256.New, code, salt[:], codeRounds, sha256.Size)
	if err != nil {
		panic(err)
	}
	name, err := hkdf.Expand(sha256.New, slow, "riposte code: key", sha256.Size)
	if err != nil {
		panic(err)
	}
	if secret, err = hkdf.Expand(sha256.New, slow, "riposte code: secret", sha256.Size); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(name), secret
}

// opened is what a code opens.
type opened struct {
	Role  string `json:"role"`
	Token string `json:"token"`
}

// sealer returns the cipher of a secret. It puts its own nonce in front.
func sealer(secret []byte) cipher.AEAD {
	block, err := aes.NewCipher(secret)
	if err != nil {
		panic(err) // a key of the wrong length
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		panic(err) // AES has GCM
	}
	return aead
}

// seal seals what a code opens, for one encounter.
func seal(secret []byte, encounter combat.ID, what opened) []byte {
	return sealer(secret).Seal(nil, nil, encode(what), []byte(encounter))
}

var errSeal = errors.New("hub: a code's seal is broken")

// unseal opens what seal has made.
func unseal(secret []byte, encounter combat.ID, sealed []byte) (what opened, err error) {
	plain, err := sealer(secret).Open(nil, nil, sealed, []byte(encounter))
	if err != nil {
		return opened{}, errSeal
	}
	if err := json.Unmarshal(plain, &what); err != nil {
		return opened{}, errSeal
	}
	return what, nil
}

// stretch is codeKeys with the store's salt. It costs time, so one runs at a
// time; whoever waits too long is refused.
func (h *Hub) stretch(ctx context.Context, code string) (key string, secret []byte, refusal *combat.Refusal) {
	ctx, cancel := context.WithTimeout(ctx, postTimeout)
	defer cancel()
	if !h.stretching.await(ctx) {
		return "", nil, combat.Refuse("unavailable", "retryAfterMs", 2000)
	}
	defer h.stretching.exit()
	salt, err := h.store.Salt(ctx)
	if err != nil {
		h.log.Error("no salt for codes", "err", err)
		return "", nil, combat.Refuse("unavailable", "retryAfterMs", 2000)
	}
	key, secret = codeKeys(code, salt)
	return key, secret, nil
}
