export { formatPlays, type PlantPlays } from './format-plays.ts';
export { findPlanted, plantVariable, requirePlaces, type SourceChange } from './plant.ts';
export { type FailingTest, playTests, requireTest } from './play-test.ts';
export { runPlanted } from './run-planted.ts';
