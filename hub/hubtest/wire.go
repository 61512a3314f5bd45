package hubtest

import (
	"context"
	"errors"
	"strings"

	"github.com/coder/websocket"

	"riposte/hub"
)

// wire is one connection, as bytes.
type wire interface {
	// read returns the next frame.
	read(ctx context.Context) ([]byte, error)
	// write sends a frame. A connection that is gone is not an error here: it
	// shows when reading.
	write(data []byte, binary bool)
	// close closes in good order, cut drops it; it may be closed already.
	close()
	cut()
}

// socket is a WebSocket, whose frames must be text.
type socket struct{ conn *websocket.Conn }

// dialWire opens a connection to a server, given by its http URL.
func dialWire(ctx context.Context, url string) (wire, error) {
	conn, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(url, "http")+"/ws", &websocket.DialOptions{Subprotocols: []string{hub.Subprotocol}})
	if err != nil {
		return nil, err
	}
	conn.SetReadLimit(-1)
	return socket{conn}, nil
}

func (w socket) read(ctx context.Context) ([]byte, error) {
	kind, data, err := w.conn.Read(ctx)
	if err == nil && kind != websocket.MessageText {
		err = errors.New("a binary frame came")
	}
	return data, err
}

func (w socket) write(data []byte, binary bool) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	kind := websocket.MessageText
	if binary {
		kind = websocket.MessageBinary
	}
	_ = w.conn.Write(ctx, kind, data)
}

func (w socket) close() { _ = w.conn.Close(websocket.StatusNormalClosure, "") }

func (w socket) cut() { _ = w.conn.CloseNow() }

// status is the status with which the other side closed, from read's error.
func status(err error) int { return int(websocket.CloseStatus(err)) }
