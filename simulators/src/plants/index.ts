export {
  changeSource,
  findPlanted,
  plantVariable,
  readPlantedSource,
  type SourceChange,
} from './plant.ts';
