import { createMemoryFixture } from '../testing/contract-fixture.ts';
import { platformContract } from '../testing/index.ts';

platformContract({ name: 'the platform in memory', create: createMemoryFixture });
