// `npm run test:quick`: what a developer wants to know after a change, in half a minute: format and types, the shape of the
// house, and the tests that reach what changed, without those that start processes.
import { forwardSignals, interruptionExitCode } from './bootstrap/processes.mjs';
import { listChanged } from './check/list-changed.ts';
import { isPlain, runCommand } from './check/run-command.ts';
import { repositoryRoot } from './workspace/root.ts';

forwardSignals();
const startedAt = performance.now();

/** Tests that start daemons, install packages or play whole stories: `npm test` has them. */
const slow = [
  'apps/*/test/**',
  'examples/**',
  'packages/*/test/**',
  'scripts/{pack,bootstrap,hostile,expressions}/**',
  'bench/**',
];

/** Parts whose tests start programs: left out too, unless one of the part changed. */
const slowParts = [
  'packages/workspace/src/git/',
  'packages/workspace/src/mcp/',
  'packages/workspace/src/sandbox/',
  'packages/workspace/src/tools/',
  'apps/daemon/src/doctor/',
  'apps/daemon/src/cli/',
];
const base = process.argv[2] ?? 'main';
const changed = listChanged(repositoryRoot, base).filter((path) =>
  /^(packages|apps|examples|bench|scripts)\/.*\.(ts|mjs)$/.test(path),
);
console.log(`${changed.length} changed sources since ${base}.`);

const colors = isPlain ? '--colors=off' : '--colors=force';
const left = slowParts.filter((part) => !changed.some((path) => path.startsWith(part)));

/** Looks at what changed since the last time, and at what rests on it. */
const checkTypes = (project: string) =>
  runCommand([
    'tsc',
    '-p',
    project,
    '--incremental',
    '--tsBuildInfoFile',
    `node_modules/.cache/quick/${project}.tsbuildinfo`,
  ]);

const results = [
  await runCommand(['biome', 'ci', colors, '.']),
  await runCommand(['node', 'scripts/imports.ts']),
  await checkTypes('tsconfig.packages.json'),
  await checkTypes('tsconfig.json'),
  await runCommand([
    'vitest',
    'related',
    '--run',
    '--passWithNoTests',
    ...changed,
    'scripts/shape/source-tree.ts',
    ...[...slow, ...left.map((part) => `${part}**`)].map((glob) => `--exclude=${glob}`),
  ]),
];
console.log(`${Math.round((performance.now() - startedAt) / 1_000)} s.`);
process.exitCode = interruptionExitCode() ?? (results.every((code) => code === 0) ? 0 : 1);
