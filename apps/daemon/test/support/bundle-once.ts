import type { TestProject } from 'vitest/node';
import { bundleDaemon } from './bundle-daemon.ts';

/** Where the tests are that start daemons. */
const startsDaemons = /\/apps\/daemon\/test\//;

/** Before all tests: bundles the daemon once for all processes that will run it, when some of the tests do. */
export default async function bundleOnce(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!project.vitest.state.getPaths().some((path) => startsDaemons.test(path))) return undefined;
  const bundle = await bundleDaemon();
  project.onTestsRerun(bundle.renew);
  return bundle.remove;
}
