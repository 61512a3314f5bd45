// Package apiclient calls the HTTP API of a running instance, for Riposte's own
// programs: playing a scenario, measuring under load.
package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"riposte/combat"
	"riposte/hub"
)

const (
	timeout     = 30 * time.Second // for one request
	tries       = 20               // of a request that is told to wait
	answerBytes = 16 << 20         // the most that is read of an answer
)

// Client calls one instance, or whatever answers at its address. Any goroutine
// may use it.
type Client struct {
	base string
	http *http.Client
}

// New returns a client for a base URL such as http://localhost:8080.
func New(base string) *Client {
	return &Client{base: strings.TrimRight(base, "/"), http: &http.Client{Timeout: timeout}}
}

// Base is the URL it calls, without a slash at the end.
func (c *Client) Base() string { return c.base }

// Close drops idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Refused is a refusal on its way through error returns.
type Refused struct{ Refusal *combat.Refusal }

// Error says the code.
func (r Refused) Error() string { return "refused: " + r.Refusal.Code }

// Call makes one request with a JSON body (none when body is nil) and decodes
// the answer. When the server says later, it comes again later, a bounded number
// of times: a command is repeated under its id, so it cannot apply twice. An
// error is a Refused, or says why there was no answer.
func (c *Client) Call(ctx context.Context, method, path, token string, body, answer any) error {
	var sent []byte
	if body != nil {
		encoded, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = encoded
	}
	for try := 1; ; try++ {
		err := c.once(ctx, method, path, token, sent, answer)
		var no Refused
		if !errors.As(err, &no) {
			return err
		}
		wait, later := no.Refusal.Params["retryAfterMs"].(float64)
		if !later || try == tries {
			return err
		}
		select {
		case <-time.After(time.Duration(wait) * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (c *Client) once(ctx context.Context, method, path, token string, body []byte, answer any) error {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, answerBytes))
	if err != nil {
		return err
	}
	if response.StatusCode < 300 {
		return json.Unmarshal(data, answer)
	}
	var problem hub.Problem
	if err := json.Unmarshal(data, &problem); err != nil || problem.Code == "" {
		return fmt.Errorf("%s %s: %s", method, path, response.Status)
	}
	return Refused{&combat.Refusal{Code: problem.Code, Params: problem.Params}}
}
