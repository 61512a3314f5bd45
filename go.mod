module riposte

go 1.26
