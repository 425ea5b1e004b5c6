import type { Attribute, Complex, ResourceKind } from './attributes.ts'
import { PAGE_MAX } from './listing.ts'
import { GROUPS, USERS } from './resource-kinds.ts'

const SCHEMAS = 'urn:ietf:params:scim:schemas:core:2.0'
export const KINDS: readonly ResourceKind[] = [USERS, GROUPS]

/** What of SCIM is spoken here (RFC 7643, section 5). */
export function serviceProviderConfig(baseUrl: string): Complex {
  return {
    schemas: [`${SCHEMAS}:ServiceProviderConfig`],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: PAGE_MAX },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'Token of a directory connection',
        description: 'Authorization: Bearer atrscim_…, made in the settings of the organization',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${baseUrl}/ServiceProviderConfig` },
  }
}

export function resourceTypes(baseUrl: string): Complex[] {
  return KINDS.map(({ name, endpoint, schema, description }) => ({
    schemas: [`${SCHEMAS}:ResourceType`],
    id: name,
    name,
    endpoint,
    description,
    schema,
    meta: { resourceType: 'ResourceType', location: `${baseUrl}/ResourceTypes/${name}` },
  }))
}

export function schemas(baseUrl: string): Complex[] {
  return KINDS.map(({ name, schema, description, attributes }) => ({
    schemas: [`${SCHEMAS}:Schema`],
    id: schema,
    name,
    description,
    attributes: attributes.map(described),
    meta: { resourceType: 'Schema', location: `${baseUrl}/Schemas/${schema}` },
  }))
}

function described(attribute: Attribute): Complex {
  const { canonicalValues, referenceTypes, subAttributes } = attribute
  return {
    name: attribute.name,
    type: attribute.type,
    multiValued: attribute.multiValued ?? false,
    description: attribute.description,
    required: attribute.required ?? false,
    mutability: attribute.mutability ?? 'readWrite',
    returned: attribute.returned ?? 'default',
    ...(attribute.type === 'string' || attribute.type === 'reference'
      ? { caseExact: attribute.caseExact ?? false, uniqueness: attribute.uniqueness ?? 'none' }
      : {}),
    ...(canonicalValues ? { canonicalValues: [...canonicalValues] } : {}),
    ...(referenceTypes ? { referenceTypes: [...referenceTypes] } : {}),
    ...(subAttributes ? { subAttributes: subAttributes.map(described) } : {}),
  }
}
