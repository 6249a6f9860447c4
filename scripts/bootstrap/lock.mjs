// Two set-ups in one clone wait for each other.
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SetUpError, throwIfInterrupted } from './processes.mjs';

const POLL_MS = 200;
const WRITING_MS = 2000;

/** Runs `work` while holding the lock file. The lock of a process that is gone is taken over. */
export async function withLock(path, { onWait }, work) {
  // The first wait stays unsaid: it is only the moment in which an orphaned lock is replaced.
  for (let waits = 0; !takeLock(path); waits += 1) {
    throwIfInterrupted();
    if (waits === 1) onWait();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  const release = () => rmSync(path, { force: true });
  process.on('exit', release);
  try {
    return await work();
  } finally {
    process.off('exit', release);
    release();
  }
}

function takeLock(path) {
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw notOurs(path, error);
  }
  removeIfOrphaned(path);
  return false;
}

function removeIfOrphaned(path) {
  try {
    const owner = readFileSync(path, 'utf8');
    const isBeingWritten = owner === '' && Date.now() - statSync(path).mtimeMs < WRITING_MS;
    if (!isBeingWritten && !isAlive(Number(owner))) rmSync(path);
  } catch (error) {
    // Its owner has just finished.
    if (error.code !== 'ENOENT') throw notOurs(path, error);
  }
}

function isAlive(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function notOurs(path, error) {
  return new SetUpError(
    `cannot write ${path} (${error.code}). Run as the owner of this clone, or clone it again as yourself.`,
  );
}
