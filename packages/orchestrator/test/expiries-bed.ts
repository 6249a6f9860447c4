import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { IssuedToken } from '@agent/platforms/credentials';
import { createMemoryStorage } from '@agent/run-store/testing';
import { type GitHubSimulator, startGitHubSimulator } from '@agent/simulators/github';
import { createOutgoingGate } from '@agent/text/outgoing';
import { createIssuedSecrets } from '@agent/text/secrets';
import { parseRunSettings } from '../src/config/index.ts';
import { type PlatformSettings, platformsSchema } from '../src/platforms/index.ts';
import type { RunDirectories, RunLogger } from '../src/ports.ts';

/** The repository that the App is installed on. */
export const repository = 'octo/hello';

/** A GitHub App and everything around a run that could come to hold its tokens. */
export interface ExpiriesBed {
  readonly gitHub: GitHubSimulator;
  readonly directories: RunDirectories;
  readonly settings: PlatformSettings;
  readonly secrets: ReturnType<typeof createIssuedSecrets>;
  readonly environment: Readonly<Record<string, string>>;
  readonly logger: RunLogger;
  readonly now: () => number;
  readonly pass: (milliseconds: number) => void;
  /** Tokens that were issued, oldest first. */
  readonly issued: readonly IssuedToken[];
  /** Finds the places that hold a token, the signature of an App or its key: files, log, and arguments and environments of git. */
  readonly findLeaks: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const permissions = { contents: 'write', issues: 'write', pull_requests: 'write' } as const;

/** Starts GitHub with an App whose key is in a file, as the configuration names it. */
export async function startExpiriesBed(): Promise<ExpiriesBed> {
  const directory = await mkdtemp(join(tmpdir(), 'expiries-'));
  let time = Date.parse('2026-01-02T03:04:05Z');
  const now = () => time;
  const secondaryLimits = { pointsPerMinute: 1e6, contentPerMinute: 1e6, contentPerHour: 1e6 };
  const gitHub = await startGitHubSimulator({ now, secondaryLimits });
  for (const login of ['octo', 'alice']) gitHub.addUser({ login });
  const files = { 'README.md': 'hello\n' };
  await gitHub.addRepository({ owner: 'octo', name: 'hello', files, collaborators: { alice: 'write' } });
  const app = gitHub.apps.register({ owner: 'octo', name: 'My Agent', permissions });
  gitHub.apps.install({ app: app.slug, account: 'octo' });
  const keyFile = join(directory, 'app.pem');
  await writeFile(keyFile, app.privateKey, { mode: 0o600 });
  const issued: IssuedToken[] = [];
  const secrets = createIssuedSecrets([], { now });
  const onToken = (token: IssuedToken) => {
    secrets.add(token);
    if (!token.value.includes('PRIVATE KEY')) issued.push(token);
  };
  const { recorder, environment } = await recordGit(directory);
  const log: string[] = [];
  const kept = join(directory, 'kept');
  const storage = createMemoryStorage();
  const settings: PlatformSettings = {
    sections: platformsSchema.parse({
      github: {
        repositories: [repository],
        base_url: gitHub.url,
        app: { app_id: app.id, private_key_file: 'app.pem' },
        write_spacing_ms: 0,
      },
    }),
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
    const key = app.privateKey.split('\n')[1] ?? '';
    const isLeak = (text = '') =>
      issued.some(({ value }) => text.includes(value)) || text.includes(key) || /eyJhbGciOi|ghs_/.test(text);
    return texts.filter(([, text]) => isLeak(text)).map(([place = '']) => place);
  };
  return {
    ...{ gitHub, settings, secrets, environment, now, issued, findLeaks },
    directories: {
      contexts: join(kept, 'contexts'),
      paused: join(kept, 'paused'),
      workspaces: join(kept, 'workspaces'),
      pauseSignalFile: join(kept, 'pause'),
    },
    logger: toLogger(log),
    pass: (milliseconds) => {
      time += milliseconds;
    },
    close: async () => {
      await storage.close();
      await gitHub.close();
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

function toLogger(lines: string[]): RunLogger {
  const write = (fields: object, message: string) => {
    const { err, ...rest } = fields as { readonly err?: unknown };
    const cause = (err as Error | undefined)?.cause;
    lines.push(`${message} ${JSON.stringify(rest)} ${String(err ?? '')} ${String(cause ?? '')}`);
  };
  const logger: RunLogger = { debug: write, info: write, warn: write, error: write, child: () => logger };
  return logger;
}

/** Settings of a run without a plan that may last as long as it takes. */
export const longRun = parseRunSettings({
  planning: { enabled: false },
  limits: { max_steps: 200, max_duration_minutes: 10_000 },
  tools: { run_command: { allow: ['printenv'], sandbox: 'off', allow_root: true } },
});
