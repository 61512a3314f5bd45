package redis

import (
	"reflect"
	"testing"
)

func TestParse(t *testing.T) {
	for raw, want := range map[string]address{
		"redis://localhost":                {scheme: "redis", hosts: []string{"localhost:6379"}},
		"redis://u:p%40ss@10.0.0.1:7000/3": {scheme: "redis", hosts: []string{"10.0.0.1:7000"}, user: "u", password: "p@ss", database: 3},
		"rediss://:secret@[::1]:7000":      {scheme: "redis", secure: true, hosts: []string{"[::1]:7000"}, password: "secret"},
		"redis://[::1]/":                   {scheme: "redis", hosts: []string{"[::1]:6379"}},
		"unix://:x@/run/redis.sock?db=2":   {scheme: "unix", hosts: []string{"/run/redis.sock"}, password: "x", database: 2},
		"redis+cluster://a:1,b:2,c":        {scheme: "cluster", hosts: []string{"a:1", "b:2", "c:6379"}},
		"rediss+cluster://u@a":             {scheme: "cluster", secure: true, hosts: []string{"a:6379"}, user: "u"},
		"redis+sentinel://a,b:1/main":      {scheme: "sentinel", hosts: []string{"a:26379", "b:1"}, primary: "main"},
		"rediss+sentinel://u:p@a/main/4":   {scheme: "sentinel", secure: true, hosts: []string{"a:26379"}, user: "u", password: "p", primary: "main", database: 4},
		"redis+sentinel://a/main?sentinel_username=s&sentinel_password=q": {scheme: "sentinel", hosts: []string{"a:26379"}, primary: "main", sentinelUser: "s", sentinelPassword: "q"},
	} {
		got, err := parse(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
		} else if !reflect.DeepEqual(*got, want) {
			t.Errorf("%s: %+v, want %+v", raw, *got, want)
		}
	}
	for _, wrong := range []string{
		"", "localhost:6379", "http://localhost", "redis://", "redis://a,b", "redis://a/x", "redis://a/1/2",
		"redis://a?db=1", "redis+sentinel://a", "redis+sentinel://a/", "redis+cluster://a/1", "redis://a:b:c@%zz",
		"redis+sentinel://a/m/n/o", "unix:///s?db=x", "redis+cluster://a,:1",
	} {
		if got, err := parse(wrong); err == nil {
			t.Errorf("%q is taken for %+v", wrong, got)
		}
	}
}
