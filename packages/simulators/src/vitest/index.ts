export { type PlayableModel, type SimulatorFixtures, test } from './test.ts';
