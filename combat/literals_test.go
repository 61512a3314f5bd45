package combat_test

import (
	"go/ast"
	"go/token"
)

// literals lists the string literals of a file.
func literals(file *ast.File) []string {
	var all []string
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			all = append(all, lit.Value)
		}
		return true
	})
	return all
}
