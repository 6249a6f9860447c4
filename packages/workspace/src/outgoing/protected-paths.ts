import { posix } from 'node:path';
import type { PathAction, PathRules } from '../config/protection.ts';
import { isAbove, matchesPath } from './path-patterns.ts';

/** One file before or after a change. */
export interface FileVersion {
  /** As git writes it: `100644`, `100755`, `120000` (link), `160000` (submodule). */
  readonly mode: string;
  /** Content; null if it was not read, or is no text. */
  readonly text: string | null;
}

/** A path that a push changes. */
export interface PathChange {
  readonly path: string;
  /** Null if it did not exist. */
  readonly before: FileVersion | null;
  /** Null if it is deleted. */
  readonly after: FileVersion | null;
}

/** Rules of a push, and what the repository itself adds to them. */
export interface ProtectionOptions {
  /** Rules of the operator. They come before the defaults. */
  readonly rules: PathRules;
  /** Rules of the repository's own file. They only make an action stricter. Default none. */
  readonly narrowing?: PathRules | undefined;
  /** Paths that a protected file names: local includes of `.gitlab-ci.yml`, targets of links. Patterns. Default none. */
  readonly named?: readonly string[] | undefined;
}

/** A changed path that is not simply pushed. */
export interface JudgedPath {
  readonly path: string;
  readonly action: Exclude<PathAction, 'allow'>;
  /** Pattern that matched. */
  readonly rule: string;
}

/** Patterns whose changes are held unless the operator says otherwise. */
export const protectedByDefault: readonly string[] = [
  // Automation
  ...['.github/workflows/**', '.github/actions/**', '.gitlab-ci.yml', '.gitlab/ci/**', 'Jenkinsfile'],
  ...['.circleci/**', 'azure-pipelines.yml', 'azure-pipelines.yaml', 'action.yml', 'action.yaml'],
  ...['.travis.yml', 'bitbucket-pipelines.yml', '.drone.yml', '/.woodpecker*', '/.woodpecker/**'],
  ...['.buildkite/**', 'appveyor.yml', '.appveyor.yml', '.cirrus.yml', '.cirrus.star', '.semaphore/**'],
  ...['.forgejo/workflows/**', '.gitea/workflows/**', '.tekton/**', '.teamcity/**'],
  ...['cloudbuild.yaml', 'cloudbuild.yml', 'atlantis.yaml'],
  // Ownership
  'CODEOWNERS',
  // Instructions and settings of agents and editors
  ...['AGENTS.md', 'AGENTS.override.md', 'CLAUDE.md', 'CLAUDE.local.md', 'GEMINI.md', '.agent.yml'],
  ...['**/.cursor/**', '.cursorrules', '**/.claude/**', '**/.codex/**', '**/.gemini/**', '**/.agents/**'],
  ...['.windsurf*', '**/.windsurf/**', '.clinerules*', '**/.clinerules/**', '**/.roo/**', '**/.kiro/**'],
  ...['**/.junie/**', 'opencode.json', 'opencode.jsonc', '**/.opencode/**', '.gitlab/duo/**', '.mcp.json'],
  ...['.github/copilot-instructions.md', '.github/instructions/**', '.github/prompts/**'],
  ...['.github/agents/**', '.github/hooks/**', '.github/chatmodes/**', '.github/mcp.json'],
  ...['**/.vscode/**', '**/.idea/**', '**/.devcontainer/**', '.devcontainer.json'],
  // Configuration that runs commands or redirects
  ...['.npmrc', '.yarnrc', '.yarnrc.yml', '**/.yarn/releases/**', '**/.yarn/plugins/**'],
  ...['pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs', 'bunfig.toml', 'binding.gyp'],
  ...['**/.cargo/config.toml', '**/.cargo/config', 'pip.conf', 'uv.toml', 'nuget.config'],
  ...['**/.mvn/**', '**/gradle/wrapper/**', '.envrc', 'mise.toml', '.mise.toml'],
  ...['.gitmodules', '.lfsconfig', '.pre-commit-config.yaml', 'lefthook.yml', '.lefthook.yml'],
  ...['**/.husky/**', '**/.githooks/**'],
];

const strictness: Readonly<Record<PathAction, number>> = { allow: 0, draft: 1, hold: 2 };

/** Judges the paths that a push changes. Paths that are simply pushed are left out. */
export function judgePaths(
  changes: readonly PathChange[],
  options: ProtectionOptions,
): readonly JudgedPath[] {
  return changes.flatMap((change) => {
    const { action, rule } = judgePath(change, options);
    return action === 'allow' ? [] : [{ path: change.path, action, rule }];
  });
}

interface Judgement {
  readonly action: PathAction;
  readonly rule: string;
}

function judgePath(change: PathChange, { rules, narrowing = {}, named = [] }: ProtectionOptions): Judgement {
  const own = findRule(change, rules) ?? judgeByDefault(change, named);
  const narrower = findRule(change, narrowing);
  return narrower !== null && strictness[narrower.action] > strictness[own.action] ? narrower : own;
}

function findRule(change: PathChange, rules: PathRules): Judgement | null {
  const found = Object.entries(rules).findLast(([pattern]) => touches(change, pattern));
  return found === undefined ? null : { action: found[1], rule: found[0] };
}

function judgeByDefault(change: PathChange, named: readonly string[]): Judgement {
  const rule =
    [...protectedByDefault, ...named].find((pattern) => touches(change, pattern)) ?? findByContent(change);
  return rule === null ? { action: 'allow', rule: '' } : { action: 'hold', rule };
}

/** A link to a protected path, and a link or a submodule instead of a directory above it, change it. */
function touches({ path, before, after }: PathChange, pattern: string): boolean {
  if (matchesPath(path, pattern)) return true;
  const special = [before, after].filter(
    (version) => version?.mode === '120000' || version?.mode === '160000',
  );
  if (special.length === 0) return false;
  return (
    isAbove(path, pattern) ||
    special.some((version) => {
      const target = version?.mode === '120000' ? resolveLink(path, version.text) : null;
      return target !== null && (matchesPath(target, pattern) || isAbove(target, pattern));
    })
  );
}

/** Null for a link that leads out of the repository. */
export function resolveLink(path: string, target: string | null): string | null {
  if (target === null || target.startsWith('/')) return null;
  const resolved = posix.normalize(posix.join(posix.dirname(path), target.replaceAll('\\', '/')));
  return resolved === '..' || resolved.startsWith('../') ? null : resolved;
}

function findByContent(change: PathChange): string | null {
  if (matchesPath(change.path, 'package.json'))
    return isSame(change, readInstallScripts)
      ? null
      : 'package.json: scripts that run on install, packageManager';
  if (matchesPath(change.path, '.gitattributes'))
    return isSame(change, readFilters) ? null : '.gitattributes: filters';
  return null;
}

/** Names of files of which `judgePaths` needs the content. */
export function isJudgedByContent(path: string): boolean {
  return matchesPath(path, 'package.json') || matchesPath(path, '.gitattributes');
}

function isSame(
  { before, after }: PathChange,
  read: (version: FileVersion | null) => string | null,
): boolean {
  const [earlier, later] = [read(before), read(after)];
  return later !== null && earlier === later;
}

/** Scripts that npm, pnpm, Yarn or Bun run on install without being asked. @see https://docs.npmjs.com/cli/using-npm/scripts#npm-install */
const installScripts = [
  ...['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare'],
  'pnpm:devPreinstall',
];

/** With the package manager, which can be an address. Null if they cannot be read: then the file is held. */
function readInstallScripts(version: FileVersion | null): string | null {
  if (version === null) return '[]';
  if (version.text === null || version.mode === '120000') return null;
  try {
    const parsed: unknown = JSON.parse(version.text.replace(/^\ufeff/, ''));
    const scripts =
      (parsed as { readonly scripts?: Readonly<Record<string, unknown>> } | null)?.scripts ?? {};
    const found = installScripts.flatMap((name) => (name in scripts ? [[name, scripts[name]]] : []));
    const manager = (parsed as { readonly packageManager?: unknown } | null)?.packageManager;
    return JSON.stringify(manager === undefined ? found : [...found, ['packageManager', manager]]);
  } catch {
    return null;
  }
}

/** Attributes by which git runs a program, and macros, which can hide one. @see https://git-scm.com/docs/gitattributes */
function readFilters(version: FileVersion | null): string | null {
  if (version === null) return '';
  if (version.text === null || version.mode === '120000') return null;
  const lines = version.text.split(/\r\n|\r|\n/);
  return lines
    .filter((line) => /(?:^|\s)[-!]?(?:filter|diff|merge)(?:=|\s|$)|^\[attr\]/.test(line))
    .join('\n');
}

/** Tells whether a path is protected by default, or a directory above such a path. */
export function isAtProtected(path: string): boolean {
  return protectedByDefault.some((pattern) => matchesPath(path, pattern) || isAbove(path, pattern));
}
