import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { IssuedToken } from '@agent/platforms/credentials';
import { createMemoryStorage } from '@agent/run-store/testing';
import { createOutgoingGate } from '@agent/text/outgoing';
import { createIssuedSecrets } from '@agent/text/secrets';
import type { RunDirectories, RunLogger } from '../src/host/ports.ts';
import { type PlatformSettings, platformsSchema } from '../src/platforms/index.ts';
import { type ExpiringForge, startGitHubForge, startGitLabForge } from './expiring-forges.ts';

/** A platform whose tokens end, and everything around a run that could come to hold them. */
export interface ExpiriesBed {
  readonly forge: ExpiringForge;
  readonly directories: RunDirectories;
  readonly settings: PlatformSettings;
  readonly secrets: ReturnType<typeof createIssuedSecrets>;
  readonly environment: Readonly<Record<string, string>>;
  readonly logger: RunLogger;
  /** Hears each line of the log. */
  readonly onLog: (hear: (message: string, fields: object) => void) => void;
  readonly now: () => number;
  readonly pass: (milliseconds: number) => void;
  /** Tokens that were issued, oldest first. */
  readonly issued: readonly IssuedToken[];
  /** Finds the places that hold a token, the signature of an App or its key: files, log, and arguments and environments of git. */
  readonly findLeaks: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const starters = { github: startGitHubForge, gitlab: startGitLabForge };

/** Starts a platform with what the agent logs in with in a file, as the configuration names it. */
export async function startExpiriesBed(name: keyof typeof starters): Promise<ExpiriesBed> {
  const directory = await mkdtemp(join(tmpdir(), 'expiries-'));
  let time = Date.parse('2026-01-02T03:04:05Z');
  const now = () => time;
  const forge = await starters[name]({ directory, now });
  const issued: IssuedToken[] = [];
  const secrets = createIssuedSecrets([], { now });
  const onToken = (token: IssuedToken) => {
    secrets.add(token);
    if (!token.value.includes('PRIVATE KEY')) issued.push(token);
  };
  const { recorder, environment } = await recordGit(directory);
  const log: string[] = [];
  const hearers: ((message: string, fields: object) => void)[] = [];
  const kept = join(directory, 'kept');
  const storage = createMemoryStorage();
  const settings: PlatformSettings = {
    sections: platformsSchema.parse({ [name]: forge.section }),
    trust: 'collaborators',
    locale: 'en',
    workspaces: { directory: join(kept, 'workspaces'), authorName: null, authorEmail: null },
    mentions: { notes: storage.notes, runsHear: true },
    gate: createOutgoingGate({ secrets: secrets.values, places: [] }),
    environment,
    directory,
    onToken,
  };
  const findLeaks = async () => {
    const texts = [
      ...(await readTexts(kept)),
      ['git', await readFile(recorder, 'utf8')],
      ['log', log.join('\n')],
    ];
    const isLeak = (text = '') =>
      issued.some(({ value }) => text.includes(value)) ||
      forge.secrets.some((secret) => text.includes(secret)) ||
      /eyJhbGciOi|ghs_|glpat-/.test(text);
    return texts.filter(([, text]) => isLeak(text)).map(([place = '']) => place);
  };
  return {
    ...{ forge, settings, secrets, environment, now, issued, findLeaks },
    directories: {
      contexts: join(kept, 'contexts'),
      paused: join(kept, 'paused'),
      workspaces: join(kept, 'workspaces'),
      pauseSignalFile: join(kept, 'pause'),
    },
    logger: toLogger((line, said) => {
      log.push(line);
      for (const hear of hearers) hear(...said);
    }),
    onLog: (hear) => hearers.push(hear),
    pass: (milliseconds) => {
      time += milliseconds;
    },
    close: async () => {
      await storage.close();
      await forge.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Puts a git before the real one that writes down how it was started. */
async function recordGit(directory: string) {
  const recorder = join(directory, 'git.txt');
  const bin = join(directory, 'bin');
  await mkdir(bin);
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\n{ printf '%s\\n' "$@"; env; } >> '${recorder}'\nexec '${real}' "$@"\n`;
  await writeFile(join(bin, 'git'), script, { mode: 0o755 });
  const path = [bin, dirname(process.execPath), process.env.PATH ?? ''].join(delimiter);
  return { recorder, environment: { PATH: path } };
}

async function readTexts(directory: string): Promise<readonly (readonly string[])[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return Promise.all(paths.map(async (path) => [path, await readFile(path, 'latin1')]));
}

function toLogger(onLine: (line: string, said: [string, object]) => void): RunLogger {
  const write = (fields: object, message: string) => {
    const { err, ...rest } = fields as { readonly err?: unknown };
    const cause = (err as Error | undefined)?.cause;
    onLine(`${message} ${JSON.stringify(rest)} ${String(err ?? '')} ${String(cause ?? '')}`, [
      message,
      fields,
    ]);
  };
  const logger: RunLogger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return logger;
}
