import type { ConfiguredPlatform } from '../task/run-parts.ts';
import { connectGitHub } from './connect-github.ts';
import type { ConnectOptions } from './connect-options.ts';

/** Connects to every platform that is configured, one after the other, so that the first mistake is the one that is said. */
export async function connectPlatforms(options: ConnectOptions): Promise<readonly ConfiguredPlatform[]> {
  const { github } = options.loaded.config.platforms;
  const connected: ConfiguredPlatform[] = [];
  if (github !== null) connected.push(await connectGitHub(github, options));
  return connected;
}
