import { availableParallelism, cpus, loadavg } from 'node:os';

/** The machine in one line: figures mean nothing without it. */
export function describeMachine(): string {
  const model = cpus()[0]?.model ?? 'unknown processor';
  const [load = 0] = loadavg();
  return `Node ${process.versions.node}, ${process.platform} ${process.arch}, ${availableParallelism()} cores (${model}), load of the last minute ${load.toFixed(1)}`;
}
