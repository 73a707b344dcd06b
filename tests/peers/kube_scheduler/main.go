// kube-scheduler as Kubernetes releases it, to be played clusters to.
//
// go.mod builds v1.15.3, newest.mod (go build -modfile=newest.mod) the newest release there was.
// The staging repositories of Kubernetes have no versions of their own in go.mod files of its releases,
// so they are pinned to the commits that were released with it.
package main

import (
	"os"

	"k8s.io/kubernetes/cmd/kube-scheduler/app"
)

func main() {
	if err := app.NewSchedulerCommand().Execute(); err != nil {
		os.Exit(1)
	}
}
