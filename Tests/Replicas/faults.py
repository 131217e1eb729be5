"""What goes wrong while the clients work."""
import os, signal, threading, time


class Faults(threading.Thread):
    """Kills one replica after the other and restarts the database. Harder: also lets a replica or the database stand still, and
    leaves the database down for longer than a request waits."""

    def __init__(self, chosen, run, replicas, postgres):
        super().__init__(daemon=True)
        self.chosen, self.clients, self.replicas, self.postgres = chosen, run, replicas, postgres
        self.stopping = threading.Event()
        self.kills = self.restarts = self.others = 0
        self.failure = None

    def run(self):
        try:
            # A short run is over soon.
            while not self.stopping.wait(1 if self.chosen.short else self.chosen.kill_every):
                due = (self.restarts + 1) / (self.chosen.restarts + 1)
                if self.restarts < self.chosen.restarts and self.clients.answered / self.chosen.operations > due:
                    self.restarts += 1
                    self.postgres.restart_immediately()
                elif self.chosen.harder and self.kills > 2 * self.others + 1:
                    self.others += 1
                    [self.freeze_replica, self.freeze_database, self.take_database_away][self.others % 3]()
                elif self.chosen.store != "memory" and not (self.chosen.short and self.kills):
                    self.kill(self.replicas[self.kills % len(self.replicas)])
        except BaseException as error:
            self.failure = error
            self.clients.stop()

    def stop(self):
        self.stopping.set()
        self.join(90)
        if self.failure or self.is_alive():
            raise SystemExit(f"A fault went wrong: {self.failure or 'it does not end'}")

    def kill(self, replica):
        self.kills += 1
        replica.kill()
        time.sleep(0.5)
        replica.start()
        replica.wait_until_ready()

    def freeze_replica(self):
        """It goes on later with what it believes, while others have acted."""
        freeze([self.replicas[self.others % len(self.replicas)].server.process.pid], 3)

    def freeze_database(self):
        """Statements that were given up are carried out all the same once it goes on."""
        freeze(self.postgres.processes(), 12)

    def take_database_away(self):
        self.postgres.control("stop", "-m", "immediate")
        time.sleep(15)
        self.postgres.control("start")


def freeze(processes, seconds):
    frozen = []
    try:
        for process in processes:
            os.kill(process, signal.SIGSTOP)
            frozen.append(process)
        time.sleep(seconds)
    finally:
        for process in frozen:
            os.kill(process, signal.SIGCONT)
