import { beforeAll, describe, it } from 'vitest';
import { toStoreTests } from '../../test/postgres-setup.ts';
import { databasesToTry } from '../../test/test-databases.ts';

describe.each(databasesToTry)('a store in %s', (_, connect) => {
  beforeAll(() => connect().then(({ close }) => close()));
  for (const { name, run } of toStoreTests(connect)) it(name, run);
});
