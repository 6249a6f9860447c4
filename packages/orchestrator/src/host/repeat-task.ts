/** Runs a task again and again until the function it gave back is called. */
export type RepeatTask = (task: () => void, everyMs: number) => () => void;

/** Repeats a task by a timer that does not keep the process alive. */
export function repeatUnreferenced(task: () => void, everyMs: number): () => void {
  const timer = setInterval(task, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
