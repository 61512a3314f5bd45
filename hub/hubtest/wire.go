package hubtest

import (
	"context"
	"errors"
	"strings"

	"github.com/coder/websocket"

	"riposte/hub"
)

// wire is one connection, as bytes.
type wire struct{ conn *websocket.Conn }

// dialWire opens a connection to a server, given by its http URL.
func dialWire(ctx context.Context, url string) (wire, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"/ws", &websocket.DialOptions{Subprotocols: []string{hub.Subprotocol}})
	if err != nil {
		return wire{}, err
	}
	conn.SetReadLimit(-1)
	return wire{conn}, nil
}

// read returns the next frame, which must be text.
func (w wire) read(ctx context.Context) ([]byte, error) {
	kind, data, err := w.conn.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		err = errors.New("a binary frame came")
	}
	return data, err
}

// write sends a frame. A connection that is gone is not an error here: it shows
// when reading.
func (w wire) write(data []byte, binary bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	kind := websocket.MessageText
	if binary {
		kind = websocket.MessageBinary
	}
	_ = w.conn.Write(ctx, kind, data)
}

// close closes in good order; it may be closed already.
func (w wire) close() { _ = w.conn.Close(websocket.StatusNormalClosure, "") }

// cut drops the connection; it may be closed already.
func (w wire) cut() { _ = w.conn.CloseNow() }

// status is the status with which the other side closed, from read's error.
func status(err error) int { return int(websocket.CloseStatus(err)) }
