import { domainEn } from './domain.en'
import { uiEn } from './ui.en'

/** All English texts; their keys are the keys there are. */
export const en = { ...uiEn, ...domainEn }
