export { findPlanted, plantVariable, requirePlaces, type SourceChange } from './plant.ts';
