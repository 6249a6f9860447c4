import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AppProcess, spawnApp } from '../spawn-app.ts';
import type { Stage } from './open-stage.ts';

/** Writes `.env` into the directory, as a person would. @returns its path */
export async function writeEnvironmentFile(directory: string, { discord, lmStudio }: Stage): Promise<string> {
  const path = join(directory, '.env');
  const settings = {
    DISCORD_TOKEN: discord.token,
    DISCORD_API_URL: discord.apiUrl,
    LM_BASE_URL: lmStudio.baseUrl,
    LOG_FORMAT: 'pretty',
    LOCALE: 'en',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
  await writeFile(path, lines.join(''), { mode: 0o600 });
  return path;
}

export interface BotProcess extends AppProcess {
  /** Resolves when it is connected. */
  readonly ready: Promise<void>;
}

/** Starts `agent-discord` in a process of its own. */
export function startBotProcess(
  envFile: string,
  {
    environment,
    onLine,
  }: { readonly environment: NodeJS.ProcessEnv; readonly onLine: (line: string) => void },
): BotProcess {
  const { PATH, HOME, TMPDIR } = environment;
  const connected = Promise.withResolvers<void>();
  const app = spawnApp({
    entry: 'apps/discord/src/main.ts',
    flags: ['--env', envFile],
    // Settings of whoever runs this would come before those of the file.
    environment: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) },
    onLine: (line) => {
      onLine(line);
      if (line.includes('connected to Discord')) connected.resolve();
    },
  });
  const endedEarly = app.ended.then((code) => {
    throw new Error(`The bot ended with ${code} before it was connected.`);
  });
  return { ...app, ready: Promise.race([connected.promise, endedEarly]) };
}
