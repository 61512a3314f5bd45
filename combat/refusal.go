package combat

import "maps"

// Refusal is the core's no: a stable code and what a client needs to say why.
// Nothing changed. The codes are listed in the wire contract.
type Refusal struct {
	Code   string         `json:"code"`
	Params map[string]any `json:"params,omitempty"`
}

// Error makes a Refusal an error for logs and tests; players never read it.
func (r *Refusal) Error() string { return r.Code }

// refuse makes a refusal from a code and pairs of parameter and value.
func refuse(code string, pairs ...any) *Refusal { return Refuse(code, pairs...) }

// stale refuses to overwrite a value that its sender never saw.
func stale(field string, now any) *Refusal { return refuse("stale_edit", "field", field, "now", now) }

// Refuse makes a refusal from a code and pairs of parameter name and value.
func Refuse(code string, pairs ...any) *Refusal {
	r := &Refusal{Code: code}
	for i := 0; i+1 < len(pairs); i += 2 {
		r = r.With(pairs[i].(string), pairs[i+1])
	}
	return r
}

// With returns a copy that has one more parameter.
func (r *Refusal) With(name string, value any) *Refusal {
	params := maps.Clone(r.Params)
	if params == nil {
		params = map[string]any{}
	}
	params[name] = value
	return &Refusal{Code: r.Code, Params: params}
}
