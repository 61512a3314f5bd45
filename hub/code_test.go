package hub

import (
	"strings"
	"testing"
)

// What people make of a code when they write it down is still that code.
func TestCodeAsTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"ABCD-EFGH": "ABCDEFGH", "abcdefgh": "ABCDEFGH", " ab cd-ef gh ": "ABCDEFGH", "A-B-C-D-E-F-G-H": "ABCDEFGH",
		"oO0i-Il1L": "00011111", "OOOO-IIII": "00001111",
		"": "", "ABCD-EFG": "", "ABCD-EFGHJ": "", "ABCD-EFGU": "", "ABCD-EFGÉ": "", "ABCD_EFGH": "", "ＡBCDEFGH": "", "ABCD\nEFGH": "",
		strings.Repeat("-", 60) + "ABCDEFGH": "",
	} {
		code, is := readCode(typed)
		if is != (want != "") || is && code != want {
			t.Errorf("%q is %q, %v, want %q", typed, code, is, want)
		}
	}
	seen := map[string]bool{}
	for range 200 {
		code := newCode()
		if read, is := readCode(strings.ToLower(showCode(code))); !is || read != code || len(showCode(code)) != 9 {
			t.Fatalf("%s, shown as %s, reads as %q, %v", code, showCode(code), read, is)
		}
		seen[code] = true
	}
	if len(seen) != 200 {
		t.Fatalf("%d of 200 codes differ", len(seen))
	}
}

// What is sealed is opened with the same code, salt and encounter, and with
// nothing else; the key tells neither.
func TestCodeSeal(t *testing.T) {
	salt := [32]byte{1}
	key, secret := codeKeys("ABCDEFGH", salt)
	what := opened{Role: "player", Token: "very secret"}
	sealed := seal(secret, "e1", what)
	if got, err := unseal(secret, "e1", sealed); err != nil || got != what {
		t.Fatalf("%+v, %v", got, err)
	}
	if strings.Contains(string(sealed), "secret") || strings.Contains(key, "ABCDEFGH") {
		t.Fatalf("%s holds %q", key, sealed)
	}
	again, _ := codeKeys("ABCDEFGH", salt)
	other, otherSecret := codeKeys("ABCDEFGJ", salt)
	elsewhere, _ := codeKeys("ABCDEFGH", [32]byte{2})
	if again != key || other == key || elsewhere == key {
		t.Fatalf("keys %s, %s, %s, %s", key, again, other, elsewhere)
	}
	flipped := append([]byte(nil), sealed...)
	flipped[len(flipped)-1] ^= 1
	for name, try := range map[string]func() (opened, error){
		"another code":      func() (opened, error) { return unseal(otherSecret, "e1", sealed) },
		"another encounter": func() (opened, error) { return unseal(secret, "e2", sealed) },
		"a changed byte":    func() (opened, error) { return unseal(secret, "e1", flipped) },
		"nothing":           func() (opened, error) { return unseal(secret, "e1", nil) },
	} {
		if got, err := try(); err == nil || got != (opened{}) {
			t.Errorf("%s opens %+v", name, got)
		}
	}
}

// Whatever is typed is no code, or one that reads the same when it is shown.
func FuzzReadCode(f *testing.F) {
	for _, seed := range []string{"ABCD-EFGH", "abcd efgh", "oil1-0000", "", "ABCD-EFGU", "ÄBCDEFGH", "ſBCDEFGH", "--------"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, typed string) {
		code, is := readCode(typed)
		if !is {
			return
		}
		if again, still := readCode(showCode(code)); !still || again != code || len(code) != 8 {
			t.Fatalf("%q reads as %q, and that as %q", typed, code, again)
		}
	})
}

// Whatever is stored as sealed opens as what was sealed, or not at all.
func FuzzUnseal(f *testing.F) {
	_, secret := codeKeys("ABCDEFGH", [32]byte{})
	what := opened{Role: "spectator", Token: "t"}
	f.Add(seal(secret, "e", what))
	f.Add([]byte{})
	f.Add(make([]byte, 12))
	f.Fuzz(func(t *testing.T, sealed []byte) {
		if got, err := unseal(secret, "e", sealed); err == nil && got != what || err != nil && got != (opened{}) {
			t.Fatalf("%x opens %+v, %v", sealed, got, err)
		}
	})
}
