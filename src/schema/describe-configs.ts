import type { MessageDefinition } from './definition.ts';

/**
 * DescribeConfigs, as Apache Kafka 4 defines it (`DescribeConfigsRequest.json`), and version 0 of older releases, which Kafka 4 removed
 * (KIP-896).
 */
export const describeConfigsRequest: MessageDefinition = {
  apiKey: 32,
  type: 'request',
  listeners: ['broker', 'controller'],
  name: 'DescribeConfigsRequest',
  comments: [
    'Version 0 was removed in Apache Kafka 4.0, Version 1 is the new baseline.',
    'Version 1 adds IncludeSynonyms and removes IsDefault.',
    'Version 2 is the same as version 1.',
    'Version 4 enables flexible versions.',
  ],
  validVersions: '0-4',
  pageVersions: '1-4',
  flexibleVersions: '4+',
  fields: [
    {
      name: 'Resources',
      type: '[]DescribeConfigsResource',
      versions: '0+',
      about: 'The resources whose configurations we want to describe.',
      fields: [
        { name: 'ResourceType', type: 'int8', versions: '0+', about: 'The resource type.' },
        { name: 'ResourceName', type: 'string', versions: '0+', about: 'The resource name.' },
        {
          name: 'ConfigurationKeys',
          type: '[]string',
          versions: '0+',
          nullableVersions: '0+',
          about: 'The configuration keys to list, or null to list all configuration keys.',
        },
      ],
    },
    {
      name: 'IncludeSynonyms',
      type: 'bool',
      versions: '1+',
      default: 'false',
      ignorable: false,
      about: 'True if we should include all synonyms.',
    },
    {
      name: 'IncludeDocumentation',
      type: 'bool',
      versions: '3+',
      default: 'false',
      ignorable: false,
      about: 'True if we should include configuration documentation.',
    },
  ],
};

/**
 * The response (`DescribeConfigsResponse.json`). `IsDefault` is in no definition of today: version 0 has it where later versions have
 * `ConfigSource`, and its meaning is told in our words.
 */
export const describeConfigsResponse: MessageDefinition = {
  apiKey: 32,
  type: 'response',
  name: 'DescribeConfigsResponse',
  comments: [
    'Version 0 was removed in Apache Kafka 4.0, Version 1 is the new baseline.',
    'Version 1 adds ConfigSource and the synonyms.',
    'Starting in version 2, on quota violation, brokers send out responses before throttling.',
    'Version 4 enables flexible versions.',
  ],
  validVersions: '0-4',
  pageVersions: '1-4',
  flexibleVersions: '4+',
  fields: [
    {
      name: 'ThrottleTimeMs',
      type: 'int32',
      versions: '0+',
      about:
        'The duration in milliseconds for which the request was throttled due to a quota violation, or zero if the request did not violate any quota.',
    },
    {
      name: 'Results',
      type: '[]DescribeConfigsResult',
      versions: '0+',
      about: 'The results for each resource.',
      fields: [
        {
          name: 'ErrorCode',
          type: 'int16',
          versions: '0+',
          about: 'The error code, or 0 if we were able to successfully describe the configurations.',
        },
        {
          name: 'ErrorMessage',
          type: 'string',
          versions: '0+',
          nullableVersions: '0+',
          about: 'The error message, or null if we were able to successfully describe the configurations.',
        },
        { name: 'ResourceType', type: 'int8', versions: '0+', about: 'The resource type.' },
        { name: 'ResourceName', type: 'string', versions: '0+', about: 'The resource name.' },
        {
          name: 'Configs',
          type: '[]DescribeConfigsResourceResult',
          versions: '0+',
          about: 'Each listed configuration.',
          fields: [
            { name: 'Name', type: 'string', versions: '0+', about: 'The configuration name.' },
            { name: 'Value', type: 'string', versions: '0+', nullableVersions: '0+', about: 'The configuration value.' },
            { name: 'ReadOnly', type: 'bool', versions: '0+', about: 'True if the configuration is read-only.' },
            {
              name: 'IsDefault',
              type: 'bool',
              versions: '0',
              about: 'True if the value is the default: version 0 has this for ConfigSource.',
            },
            {
              name: 'ConfigSource',
              type: 'int8',
              versions: '1+',
              default: '-1',
              ignorable: true,
              about: 'The configuration source.',
            },
            { name: 'IsSensitive', type: 'bool', versions: '0+', about: 'True if this configuration is sensitive.' },
            {
              name: 'Synonyms',
              type: '[]DescribeConfigsSynonym',
              versions: '1+',
              ignorable: true,
              about: 'The synonyms for this configuration key.',
              fields: [
                { name: 'Name', type: 'string', versions: '1+', about: 'The synonym name.' },
                { name: 'Value', type: 'string', versions: '1+', nullableVersions: '0+', about: 'The synonym value.' },
                { name: 'Source', type: 'int8', versions: '1+', about: 'The synonym source.' },
              ],
            },
            {
              name: 'ConfigType',
              type: 'int8',
              versions: '3+',
              default: '0',
              ignorable: true,
              about:
                'The configuration data type. Type can be one of the following values - BOOLEAN, STRING, INT, SHORT, LONG, DOUBLE, LIST, CLASS, PASSWORD.',
            },
            {
              name: 'Documentation',
              type: 'string',
              versions: '3+',
              nullableVersions: '0+',
              ignorable: true,
              about: 'The configuration documentation.',
            },
          ],
        },
      ],
    },
  ],
};
