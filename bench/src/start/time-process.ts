import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';

/** Milliseconds from before the spawn to the exit of a Node process that must end well. */
export async function timeToExit(
  nodeArguments: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, nodeArguments, { env: environment, stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  const elapsedMs = performance.now() - startedAt;
  if (code === 0) return elapsedMs;
  throw new Error(`node ${nodeArguments.join(' ')} ended with ${code}`);
}
