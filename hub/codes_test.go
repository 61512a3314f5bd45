package hub_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"riposte/combat"
	"riposte/hub"
	"riposte/hub/hubtest"
)

// codeOf has the GM make a code for a role's link.
func (b *table) codeOf(role string) hub.CodeCreated {
	b.t.Helper()
	answer := hubtest.Request(b.t, http.MethodPost, b.Path()+"/codes", b.Tokens["gm"], hub.CodeRequest{Role: role, Token: b.Tokens[role]})
	if answer.Status != http.StatusCreated {
		b.t.Fatalf("code: %d %s", answer.Status, answer.Body)
	}
	return decode[hub.CodeCreated](b.t, answer.Body)
}

func (b *table) openCode(code string) hubtest.Answer {
	b.t.Helper()
	return hubtest.Request(b.t, http.MethodGet, b.URL+"/api/codes/"+code, "", nil)
}

// A code opens the link it was made for, however it is typed, after a restart
// too.
func TestCodeOpensItsLink(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	codes := map[string]hub.CodeCreated{"player": b.codeOf("player"), "spectator": b.codeOf("spectator")}
	check := func() {
		for role, made := range codes {
			expires, err := time.Parse(time.RFC3339, made.ExpiresAt)
			if left := time.Until(expires); err != nil || left > 24*time.Hour || left < 23*time.Hour {
				t.Errorf("%s expires at %s", made.Code, made.ExpiresAt)
			}
			for _, typed := range []string{made.Code, strings.ToLower(made.Code), strings.ReplaceAll(made.Code, "-", ""), strings.ReplaceAll(made.Code, "-", "%20")} {
				answer := b.openCode(typed)
				if answer.Status != http.StatusOK {
					t.Fatalf("%s: %d %s", typed, answer.Status, answer.Body)
				}
				got := decode[hub.CodeOpened](t, answer.Body)
				want := hub.CodeOpened{ID: b.ID, Role: role, Token: b.Tokens[role], Link: "/e/" + string(b.ID) + "#" + b.Tokens[role]}
				if got != want {
					t.Errorf("%s opens %+v, want %+v", typed, got, want)
				}
			}
		}
	}
	check()
	again := b.server.Again()
	b.URL = again.URL
	check()
}

// Only a GM makes codes, for links that he has, and none for his own.
func TestCodeRefused(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	player := b.Tokens["player"]
	for _, test := range []struct {
		token  string
		body   any
		status int
		field  any
	}{
		{player, hub.CodeRequest{Role: "player", Token: player}, 403, nil},
		{b.seat1.Token, hub.CodeRequest{Role: "player", Token: player}, 403, nil},
		{strings.Repeat("A", 22), hub.CodeRequest{Role: "player", Token: player}, 401, nil},
		{b.Tokens["gm"], hub.CodeRequest{Role: "gm", Token: b.Tokens["gm"]}, 400, "role"},
		{b.Tokens["gm"], hub.CodeRequest{Role: "seat", Token: b.seat1.Token}, 400, "role"},
		{b.Tokens["gm"], hub.CodeRequest{Role: "player", Token: b.Tokens["spectator"]}, 400, "token"},
		{b.Tokens["gm"], hub.CodeRequest{Role: "player", Token: b.seat1.Token}, 400, "token"},
		{b.Tokens["gm"], hub.CodeRequest{Role: "player"}, 400, "token"},
		{b.Tokens["gm"], `{"role":"player","token":"t","forever":true}`, 400, "forever"},
		{b.Tokens["gm"], `[]`, 400, "message"},
	} {
		answer := hubtest.Request(t, http.MethodPost, b.Path()+"/codes", test.token, test.body)
		if answer.Status != test.status || answer.Problem(t).Params["field"] != test.field {
			t.Errorf("%v: %d %s", test.body, answer.Status, answer.Body)
		}
	}
	for _, code := range []string{"0000-0000", "nothing", "ABCD-EFGU", "%00", strings.Repeat("A", 300)} {
		if answer := b.openCode(code); answer.Status != http.StatusNotFound || answer.Problem(t).Code != "not_found" {
			t.Errorf("%s: %d %s", code, answer.Status, answer.Body)
		}
	}
}

// The code of a link that has been replaced is as unknown as any other.
func TestCodeOfAReplacedLink(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	player, spectator := b.codeOf("player"), b.codeOf("spectator")
	b.gm.Must(combat.ReplaceLink{Role: combat.RolePlayer})
	if answer := b.openCode(player.Code); answer.Status != http.StatusNotFound || answer.Problem(t).Code != "not_found" || answer.Problem(t).Params != nil {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if answer := b.openCode(spectator.Code); answer.Status != http.StatusOK {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
}

// What lies on the disk holds no token and no code.
func TestCodesAtRest(t *testing.T) {
	b := quartet(t, hub.Limits{}, nil)
	made := b.codeOf("player")
	b.server.Stop()
	file, err := os.ReadFile(b.server.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(file), string(b.ID)) {
		t.Fatal("that is not the journal")
	}
	for _, secret := range []string{made.Code, strings.ReplaceAll(made.Code, "-", ""), b.Tokens["player"]} {
		if strings.Contains(string(file), secret) {
			t.Errorf("the file holds %s", secret)
		}
	}
}

// A code is good for a day. Who tries many is refused for a while, from any
// code and any encounter; an encounter has so many codes and no more.
func TestCodesInTime(t *testing.T) {
	inBubble(t, hub.Limits{FailRate: 1, FailBurst: 3}, nil, func(b *bubble) {
		make := func(status int) hub.CodeCreated {
			return decode[hub.CodeCreated](t, b.call("POST", b.at("/codes"), b.tokens["gm"], hub.CodeRequest{Role: "player", Token: b.tokens["player"]}, status))
		}
		made := make(http.StatusCreated)
		for range 15 {
			make(http.StatusCreated)
		}
		make(http.StatusBadRequest)
		b.call("GET", "/api/codes/"+made.Code, "", nil, http.StatusOK)
		for range 3 {
			b.call("GET", "/api/codes/0000-0000", "", nil, http.StatusNotFound)
		}
		b.call("GET", "/api/codes/"+made.Code, "", nil, http.StatusTooManyRequests)
		b.call("GET", b.at(""), b.tokens["gm"], nil, http.StatusTooManyRequests)
		time.Sleep(23*time.Hour + 59*time.Minute)
		b.call("GET", "/api/codes/"+made.Code, "", nil, http.StatusOK)
		make(http.StatusBadRequest)
		time.Sleep(2 * time.Minute)
		b.call("GET", "/api/codes/"+made.Code, "", nil, http.StatusNotFound)
		make(http.StatusCreated)
	})
}
