import { execFile } from 'node:child_process';
import { repositoryRoot } from '../workspace/root.ts';
import { type Tally, tallyExitCode } from './stage.ts';

/** A known vulnerability of a locked package. */
interface Advisory {
  readonly module_name: string;
  readonly severity: string;
  readonly title: string;
  readonly url: string;
  readonly findings: readonly { readonly version: string; readonly paths: readonly string[] }[];
}

/** Outcome of an audit; a registry without advisories is not a failure. */
export type Audit =
  | { readonly kind: 'not checked'; readonly reason: string }
  | { readonly kind: 'checked'; readonly packages: number; readonly advisories: readonly Advisory[] };

const timeoutMs = 90_000;

/**
 * Compares the lockfile with the advisories of the registry.
 *
 * @param environment variables beside those of this process
 */
export function auditLockfile(environment: Readonly<Record<string, string>> = {}): Promise<Audit> {
  const options = {
    cwd: repositoryRoot,
    env: { ...process.env, pnpm_config_fetch_retries: '0', ...environment, NO_COLOR: '1' },
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((resolve) => {
    execFile('pnpm', ['audit', '--json'], options, (error, stdout, stderr) => {
      if (stdout.trimStart().startsWith('{')) return resolve(readReport(stdout));
      const reason = error?.killed ? `no answer within ${timeoutMs / 1_000} s` : toReason(stderr);
      resolve({ kind: 'not checked', reason });
    });
  });
}

function readReport(stdout: string): Audit {
  const { advisories, metadata } = JSON.parse(stdout) as {
    readonly advisories: Readonly<Record<string, Advisory>>;
    readonly metadata: { readonly totalDependencies: number };
  };
  const packages = metadata.totalDependencies;
  return { kind: 'checked', packages, advisories: Object.values(advisories) };
}

function toReason(stderr: string): string {
  const [, status] = /responded with (\d{3})/u.exec(stderr.replace(/\s+│?\s*/gu, ' ')) ?? [];
  return status === undefined ? 'the registry cannot be reached' : `the registry answers ${status}`;
}

/** Prints the outcome; high and critical advisories fail. */
export function tallyAudit(audit: Audit, print: (line: string) => void = console.log): Tally {
  if (audit.kind === 'not checked') {
    print(`NOT CHECKED: ${audit.reason}`);
    return { passed: 0, failed: 0 };
  }
  const { packages, advisories } = audit;
  print(`${packages} packages checked, ${advisories.length} advisories`);
  for (const { module_name: name, severity, title, url, findings } of advisories) {
    const versions = findings.map(({ version }) => version).join(', ');
    print(`${severity}: ${name} ${versions}: ${title} (${url}), through ${findings[0]?.paths[0]}`);
  }
  return tallyExitCode(advisories.some(({ severity }) => /^(?:high|critical)$/u.test(severity)) ? 1 : 0);
}
