"""Injects faults into the servers while the clients act."""
import os, signal, threading, time


class FaultInjector(threading.Thread):
    """Kills one replica after another, and restarts the database. With --harder, it also suspends replicas and the
    database, and stops the database for longer than a request waits."""

    def __init__(self, options, run, replicas, postgres):
        super().__init__(daemon=True)
        self.options, self.clients, self.replicas, self.postgres = options, run, replicas, postgres
        self.stopping = threading.Event()
        self.kills = self.restarts = self.others = 0
        self.failure = None

    @property
    def is_complete(self):
        """Whether every kind of fault of the options was injected as often as it has to be."""
        return self.restarts >= self.options.restarts and (self.options.store == "memory" or self.kills > 0)

    def run(self):
        try:
            while not self.stopping.wait(1 if self.options.short else self.options.kill_every):
                due = (self.restarts + 1) / (self.options.restarts + 1)
                if self.restarts < self.options.restarts and self.clients.answered / self.options.operations > due:
                    self.postgres.restart_immediately()
                    self.restarts += 1
                elif self.options.harder and self.kills > 2 * self.others + 1:
                    self.others += 1
                    [self.suspend_replica, self.suspend_database, self.stop_database][self.others % 3]()
                elif self.options.store != "memory" and not (self.options.short and self.kills):
                    self.kill(self.replicas[self.kills % len(self.replicas)])
        except BaseException as error:
            self.failure = error
            self.clients.stop()

    def stop(self):
        self.stopping.set()
        self.join(90)
        if self.failure or self.is_alive():
            raise SystemExit(f"The fault injection failed: {self.failure or 'it does not end'}")

    def kill(self, replica):
        replica.kill()
        time.sleep(0.5)
        replica.start()
        replica.wait_until_ready()
        self.kills += 1

    def suspend_replica(self):
        """Suspends a replica, which continues with a stale state."""
        suspend([self.replicas[self.others % len(self.replicas)].server.process.pid], 3)

    def suspend_database(self):
        """Suspends the database, which then executes statements that have timed out."""
        suspend(self.postgres.processes(), 12)

    def stop_database(self):
        self.postgres.control("stop", "-m", "immediate")
        time.sleep(15)
        self.postgres.control("start")


def suspend(processes, seconds):
    suspended = []
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
            suspended.append(process)
        time.sleep(seconds)
    finally:
        for process in suspended:
            os.kill(process, signal.SIGCONT)
