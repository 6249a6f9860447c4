/** Preloaded into a process that is rehearsed (`node --import`): ends it if the process that started it was killed. */
const parent = process.ppid;
const intervalMs = 1_000;

setInterval(() => {
  if (process.ppid !== parent) process.kill(process.pid, 'SIGTERM');
}, intervalMs).unref();
