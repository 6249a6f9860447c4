import { platformContract } from '../src/testing/index.ts';
import { createSimulatorFixture } from './fixtures/simulator-fixture.ts';

platformContract({ name: 'GitHub on our simulator', create: createSimulatorFixture });
