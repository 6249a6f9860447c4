import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from './root.ts';

/** What the scripts read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly version?: string;
  readonly type?: string;
  readonly license?: string;
  readonly repository?: unknown;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly publishConfig?: {
    readonly bin?: Readonly<Record<string, string>>;
    readonly main?: string;
    readonly types?: string;
    readonly typesVersions?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    readonly exports?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A member of the workspace. */
export interface WorkspacePackage {
  /** Relative to the repository, such as `packages/runner`. */
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package and app, private ones too, by folder name. */
function listPackages(root: string = repositoryRoot): readonly WorkspacePackage[] {
  const listIn = (parent: string) =>
    readdirSync(join(root, parent))
      .sort()
      .map((name) => `${parent}/${name}`);
  return [...listIn('packages'), ...listIn('apps')]
    .filter((folder) => existsSync(join(root, folder, 'package.json')))
    .map((folder) => ({ folder, manifest: readManifest(join(root, folder, 'package.json')) }));
}

/** The packages that people install. */
export function listPublishablePackages(root: string = repositoryRoot): readonly WorkspacePackage[] {
  return listPackages(root).filter(({ manifest }) => manifest.private !== true);
}

/** The packages of ours that one depends on, and those that these depend on, each once. */
export function listNeeded(
  packages: readonly WorkspacePackage[],
  { dependencies = {} }: Manifest,
): readonly WorkspacePackage[] {
  const direct = packages.filter(({ manifest }) => manifest.name in dependencies);
  return [...new Set(direct.flatMap((one) => [one, ...listNeeded(packages, one.manifest)]))];
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, 'utf8')) as Manifest;
}
