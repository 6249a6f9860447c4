import { platformContract } from '../testing/index.ts';
import { createMemoryFixture } from '../testing/memory-fixture.ts';

platformContract({ name: 'the platform in memory', create: createMemoryFixture });
