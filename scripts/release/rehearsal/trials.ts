import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { toLowestVersion } from '../../pack/published-ranges.ts';
import { findExample, listImportedPackages } from '../../pack/readme-example.ts';
import type { WorkspacePackage } from '../../workspace/list-packages.ts';
import { runProgram } from './run-program.ts';
import type { TriedRuntime } from './runtimes.ts';

/** Something that a user does with published packages, in an empty directory. */
export interface ReleaseTrial {
  readonly title: string;
  /** @throws Error if it does not work */
  readonly run: (folder: string) => Promise<void>;
}

/** Parts of the trials of a release. */
export interface TrialParts {
  readonly scope: string;
  /** Checkout that the packages were published from. */
  readonly clone: string;
  readonly members: readonly WorkspacePackage[];
  readonly runtimes: readonly TriedRuntime[];
  readonly registry: string;
  /** File with the settings of npm. */
  readonly userConfig: string;
}

/** Lists what is tried: each library by the first example of its README, each program by its first command. */
export function listTrials(parts: TrialParts): readonly ReleaseTrial[] {
  const libraries = parts.members.filter(({ manifest }) => manifest.exports !== undefined);
  const programs = parts.members.filter(({ folder }) => folder.startsWith('apps/'));
  const others = parts.runtimes.filter(({ name }) => name !== 'node');
  return [
    ...libraries.flatMap((library) =>
      listNodes(parts, library).map((node, index) =>
        tryLibrary(parts, library, { node, others: index === 0 ? [] : listOthers(library, others) }),
      ),
    ),
    ...listNodes(parts, programs[0]).flatMap((node) => tryPrograms(parts, node)),
  ];
}

/**
 * Libraries that lock files with a native add-on of Node, which these runtimes do not load: their READMEs say that they need Node.
 * Other packages run on every runtime.
 */
const needNode: Readonly<Record<string, readonly string[]>> = {
  'packages/orchestrator': ['bun', 'deno'],
  'packages/run-store': ['deno'],
};

function listOthers({ folder }: WorkspacePackage, others: readonly TriedRuntime[]): readonly TriedRuntime[] {
  return others.filter(({ name }) => needNode[folder]?.includes(name) !== true);
}

/** Lists the lowest Node of a package, and the newest one. */
function listNodes({ runtimes }: TrialParts, member: WorkspacePackage | undefined): readonly TriedRuntime[] {
  const lowest = toLowestVersion(member?.manifest.engines?.node ?? '');
  const nodes = runtimes.filter(({ name }) => name === 'node');
  return nodes.filter(({ version }, index) => version === lowest || index === nodes.length - 1);
}

function tryLibrary(
  parts: TrialParts,
  { folder: member, manifest }: WorkspacePackage,
  { node, others }: { readonly node: TriedRuntime; readonly others: readonly TriedRuntime[] },
): ReleaseTrial {
  const on = [node, ...others].map(({ name, version }) => `${name} ${version}`).join(', ');
  return {
    title: `${manifest.name}: first example of its README on ${on}`,
    run: async (folder) => {
      const { npm } = openFolder(parts, { folder, node });
      await npm('install', manifest.name);
      const installed = join(folder, 'node_modules', manifest.name);
      const readme = readFileSync(join(installed, 'README.md'), 'utf8');
      const example = findExample(readme);
      if (example === null) throw new Error(`The README of ${manifest.name} has no example.`);
      const missing = listImportedPackages(example).filter(
        (name) => !existsSync(join(folder, 'node_modules', name)),
      );
      if (missing.length > 0) await npm('install', ...missing);
      requireAbsoluteLinks(readme, member);
      writeFileSync(join(folder, 'example.mjs'), stripTypeScriptTypes(example));
      for (const { program, args } of [node, ...others])
        await runProgram(folder, [program, ...args, 'example.mjs'], environmentOf(parts, node));
    },
  };
}

function requireAbsoluteLinks(readme: string, member: string): void {
  const relative = readme.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '').match(/\]\((?![a-z]+:|#)[^)\s]+\)/g);
  if (relative !== null)
    throw new Error(
      `The README of ${member} has links that work in the repository only: ${relative.join(' ')}`,
    );
}

function tryPrograms(parts: TrialParts, node: TriedRuntime): readonly ReleaseTrial[] {
  const { scope } = parts;
  const on = `on node ${node.version}`;
  const expectOutput = (text: string, expected: string): void => {
    if (!text.includes(expected)) throw new Error(`"${expected}" is not in the output:\n${text}`);
  };
  return [
    {
      title: `${scope}/daemon: npx agent-daemon demo ${on}`,
      run: async (folder) => {
        const { npm, npx } = openFolder(parts, { folder, node });
        await npm('install', `${scope}/daemon`, `${scope}/simulators`);
        expectOutput(await npx('agent-daemon', 'demo'), 'the issue is finished, and a draft pull request');
      },
    },
    {
      title: `${scope}/mcp: agent-comments-mcp, with which Claude Code's hooks are set up, says what it needs ${on}`,
      run: async (folder) => {
        const { npm, npx } = openFolder(parts, { folder, node });
        await npm('install', `${scope}/mcp`);
        const said = await npx('agent-comments-mcp').catch((error: Error) => error.message);
        expectOutput(said, '--thread');
      },
    },
    {
      title: `${scope}/discord: agent-discord says what it needs ${on}`,
      run: async (folder) => {
        const { npm, npx } = openFolder(parts, { folder, node });
        await npm('install', `${scope}/discord`);
        const said = await npx('agent-discord').catch((error: Error) => error.message);
        expectOutput(said, 'DISCORD_TOKEN');
      },
    },
  ];
}

/** Settings of npm with the registry of the rehearsal, and the Node that is tried first on the PATH. */
function environmentOf(parts: TrialParts, node: TriedRuntime): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(node.program)}:${process.env.PATH ?? ''}`,
    npm_config_userconfig: parts.userConfig,
    npm_config_registry: parts.registry,
  };
}

function openFolder(
  parts: TrialParts,
  { folder, node }: { readonly folder: string; readonly node: TriedRuntime },
) {
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}\n');
  const environment = environmentOf(parts, node);
  return {
    npm: (...args: readonly string[]) => runProgram(folder, ['npm', ...args], environment),
    npx: (...args: readonly string[]) => runProgram(folder, ['npx', '--no-install', ...args], environment),
  };
}
