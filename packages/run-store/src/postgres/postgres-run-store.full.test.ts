import { beforeAll, describe, it } from 'vitest';
import { toStoreTests } from '../../test/postgres-setup.ts';
import { connectTestServer, startTimeoutMs } from '../../test/test-databases.ts';

describe('a store in a real server, whole', () => {
  beforeAll(() => connectTestServer().then(({ close }) => close()), startTimeoutMs);
  for (const { name, run } of toStoreTests(connectTestServer)) it(name, run);
});
