// Gives this checkout the scope and the repository of `release.json`, for a release. Never committed: only what is published has them.
import { repositoryRoot } from '../workspace/root.ts';
import { preparePackages } from './prepare-packages.ts';
import { readReleaseIdentity } from './release-identity.ts';
import { renameScope } from './rename-scope.ts';

try {
  const identity = readReleaseIdentity();
  renameScope(repositoryRoot, identity.scope);
  preparePackages(repositoryRoot, identity);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
