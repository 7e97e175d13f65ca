"""Names of skills: one a line, its other spellings after a colon.

``=`` before a name or spelling means that it counts only in exactly that case, because in
lower case it is an ordinary word (Go, Excel). After ``>`` stand broader names that whoever
has the skill may also use. Spaces, hyphens, slashes and inner dots make no difference.
"""

from jobsteward.profile.trade_terms import (
    BUSINESS,
    CARE_AND_TEACHING,
    EMBEDDED_AND_ENGINEERING,
    MARKETING_AND_DESIGN,
)

LANGUAGES = """
Python: python3, cpython
JavaScript: js, ecmascript, es6, vanilla js
TypeScript: =TS > JavaScript
Java: java se, java ee, jdk, j2ee, jakarta ee
=Go: golang
=Rust: rustlang
=R: r language, r programming, =RStudio, tidyverse
=C: c language, ansi c, c99, c11
C++: cpp, c plus plus, cplusplus
C#: c sharp, csharp
F#: fsharp
Kotlin
=Swift: swiftui
Objective-C: objc
Scala
=Ruby
PHP
Perl
Haskell
Elixir
Erlang
Clojure: clojurescript
=Julia
=Dart
Lua
MATLAB
Groovy
VBA: visual basic for applications
Visual Basic: vb.net, vb6
COBOL
Fortran
=Ada
Prolog
OCaml
Solidity
=Zig
=Elm
=Crystal
Delphi: object pascal
ABAP
=Apex: salesforce apex
=Assembly: assembler
VHDL
Verilog: systemverilog
PL/SQL > SQL
T-SQL: transact sql > SQL
SQL: structured query language
HTML: html5, xhtml
CSS: css3
=Sass: scss > CSS
=Less > CSS
Bash: bash scripting
Shell scripting: shell script, shell scripts, unix shell
PowerShell
GraphQL
XML
JSON
YAML
LaTeX
Regular expressions: regex
"""

FRAMEWORKS = """
.NET: dotnet, .net core, .net framework
ASP.NET: asp.net core, asp.net mvc > .NET
Node.js: nodejs, =Node > JavaScript
=React: react.js, reactjs > JavaScript
React Native > React
=Angular: angularjs, angular.js
Vue.js: vuejs, =Vue, vue 3 > JavaScript
Svelte: sveltekit > JavaScript
Next.js: nextjs > React
Nuxt: nuxt.js
Express.js: expressjs, =Express > Node.js
NestJS: nest.js > Node.js
Django: django rest framework, drf > Python
=Flask > Python
FastAPI > Python
Pydantic > Python
SQLAlchemy > Python
=Celery
Ruby on Rails: =Rails, ror > Ruby
=Sinatra > Ruby
Laravel > PHP
Symfony > PHP
WordPress
Drupal
Magento
Spring Boot: springboot > Spring
=Spring: spring framework, spring mvc
Hibernate: jpa
Quarkus
Micronaut
Ktor > Kotlin
=Gin > Go
Tokio > Rust
Actix > Rust
=Phoenix: phoenix liveview > Elixir
jQuery > JavaScript
=Redux
RxJS
Webpack
=Vite
Tailwind CSS: tailwind > CSS
=Bootstrap
Material UI: mui
Storybook
Three.js
D3.js: d3
WebSockets: websocket
WebRTC
WebAssembly: wasm
=Electron
=Flutter > Dart
Jetpack Compose
Xamarin
=Ionic
=Unity: unity3d
Unreal Engine: unreal
Qt
Entity Framework: ef core > .NET
Blazor > .NET
WPF > .NET
gRPC
Protocol Buffers: protobuf
=REST: restful, rest api, rest apis, restful api, restful apis, restful services
=SOAP
OpenAPI: swagger
OAuth: oauth2, oauth 2.0
OpenID Connect: oidc
JWT: json web tokens
"""

DATA = """
PostgreSQL: postgres, psql, postgre sql, =PG > SQL, Relational database
MySQL > SQL, Relational database
MariaDB > SQL, Relational database
SQLite > SQL, Relational database
Microsoft SQL Server: sql server, mssql, ms sql, ms sql server > SQL, Relational database
=Oracle: oracle database, oracle db > Relational database
Db2 > SQL
Relational database: relational databases, rdbms
MongoDB: mongo > NoSQL
Redis
Memcached
Cassandra: apache cassandra > NoSQL
DynamoDB: amazon dynamodb, aws dynamodb > NoSQL, AWS
NoSQL: nosql databases
CouchDB > NoSQL
Neo4j: graph database
Elasticsearch: elastic search, elk, elk stack
OpenSearch
Solr: apache solr
ClickHouse
Snowflake
BigQuery: google bigquery, gcp bigquery
Redshift: amazon redshift, aws redshift
Databricks
Synapse: azure synapse
Teradata
Vertica
=Presto: prestodb
=Trino
Athena: aws athena, amazon athena > AWS
Kafka: apache kafka, kafka streams
RabbitMQ
ActiveMQ
NATS
=Pulsar: apache pulsar
Kinesis: aws kinesis, amazon kinesis > AWS
=Spark: apache spark, pyspark, spark sql, spark streaming
Hadoop: apache hadoop, hdfs, mapreduce
=Hive: apache hive
=Flink: apache flink
Apache Beam
Airflow: apache airflow
Dagster
=Prefect
=Luigi
dbt: data build tool
Fivetran
Airbyte
Informatica
Talend
SSIS
SSRS
SSAS
ETL: elt, etl pipelines
Data warehousing: data warehouse, data warehouses, dwh
Data modeling: data modelling, data models
Data lake: data lakes, lakehouse
Delta Lake
=Iceberg: apache iceberg
Parquet
Tableau
Power BI: powerbi, ms power bi, microsoft power bi
=Looker: looker studio, google data studio
Qlik: qlikview, qlik sense
Metabase
Superset: apache superset
=Excel: microsoft excel, ms excel, ms-excel
Power Query
Google Sheets
pandas > Python
NumPy > Python
SciPy > Python
Polars
Matplotlib
Plotly
Seaborn
Jupyter: jupyter notebook, jupyter notebooks
SPSS
Stata
SAS
A/B testing: a/b test, a/b tests, ab testing, split testing
Statistics: statistical analysis, statistical modelling, statistical modeling
Forecasting
Data visualization: data visualisation
Data engineering
Data analysis: data analytics
"""

LEARNING = """
Machine learning: =ML
Deep learning
Artificial intelligence: =AI
Natural language processing: nlp
Computer vision
Reinforcement learning
Large language models: large language model, llm, llms
Retrieval-augmented generation: =RAG
Prompt engineering
Generative AI: genai, gen ai
TensorFlow
Keras
PyTorch
scikit-learn: sklearn, scikit learn
XGBoost
LightGBM
JAX
Hugging Face: huggingface
LangChain
LlamaIndex
MLflow
MLOps
Kubeflow
SageMaker: aws sagemaker, amazon sagemaker > AWS
Vertex AI > Google Cloud
OpenCV
spaCy
NLTK
ONNX
CUDA
Recommender systems: recommendation systems
Feature engineering
Time series: time series analysis
"""

OPERATIONS = """
AWS: amazon web services, amazon aws
Google Cloud: gcp, google cloud platform
Azure: microsoft azure, ms azure
S3: amazon s3, aws s3 > AWS
EC2: amazon ec2, aws ec2 > AWS
AWS Lambda: lambda functions > AWS, Serverless
ECS: aws ecs, amazon ecs > AWS
EKS: amazon eks, aws eks > AWS, Kubernetes
GKE > Google Cloud, Kubernetes
AKS > Azure, Kubernetes
CloudFormation: aws cloudformation > AWS
CloudWatch > AWS
RDS: amazon rds, aws rds > AWS
Cloudflare
Heroku
Vercel
Netlify
DigitalOcean
OpenStack
OpenShift > Kubernetes
Serverless
Docker: docker compose, docker-compose, dockerized, dockerised
Kubernetes: k8s, kube
=Helm: helm charts
Istio
=Envoy
Podman
Terraform: opentofu
Pulumi
Ansible: ansible awx
=Puppet
=Chef
SaltStack
Vagrant
=Packer
HashiCorp Vault
=Consul
=Nomad: hashicorp nomad
Infrastructure as code: iac
CI/CD: cicd, ci cd, continuous integration, continuous delivery, continuous deployment
Jenkins > CI/CD
GitHub Actions > CI/CD
GitLab CI: gitlab ci/cd, gitlab-ci > CI/CD
CircleCI > CI/CD
Travis CI > CI/CD
TeamCity > CI/CD
Azure DevOps: azure pipelines > CI/CD
Argo CD: argocd
GitOps
DevOps
Site reliability engineering: sre
Git
GitHub > Git
GitLab > Git
Bitbucket > Git
Subversion: svn
Mercurial
Prometheus
Grafana
Datadog
New Relic
Splunk
=Sentry
OpenTelemetry: otel
Jaeger
Nagios
Zabbix
PagerDuty
Observability
Incident management: incident response
On-call: on call
Linux: gnu/linux
Ubuntu > Linux
Debian > Linux
Red Hat: rhel, red hat enterprise linux > Linux
Unix
Windows Server
macOS
VMware: vsphere
Hyper-V
Nginx
Apache HTTP Server: apache httpd
HAProxy
TCP/IP
DNS
Load balancing
VPN
Active Directory: microsoft entra
LDAP
Microservices: microservice, micro-services
Event-driven architecture: event driven
Distributed systems
Message queues: message queue
Scalability
High availability
"""

SECURITY_AND_TESTING = """
Information security: infosec, cybersecurity, cyber security
Zero trust: zero-trust
Penetration testing: pentesting, pen testing
OWASP: owasp top 10
SIEM
SOC 2: soc2
ISO 27001: iso27001
PCI DSS: pci-dss, pci
GDPR
HIPAA
Cryptography
Threat modeling: threat modelling
Vulnerability management
IAM: identity and access management
Wireshark
Metasploit
Burp Suite
Unit testing: unit test, unit tests
Integration testing: integration tests
Test automation: automated testing, automated tests
Test-driven development: tdd
Behaviour-driven development: bdd
pytest > Python
JUnit > Java
=Jest
=Mocha
=Cypress
=Playwright
Selenium: selenium webdriver
Appium
Postman
JMeter
k6
=Cucumber
TestRail
Hardware-in-the-loop: hil, hil testing, hil tests, hil test, hardware-in-the-loop testing
Quality assurance: =QA
"""

TABLES = (
    LANGUAGES,
    FRAMEWORKS,
    DATA,
    LEARNING,
    OPERATIONS,
    SECURITY_AND_TESTING,
    EMBEDDED_AND_ENGINEERING,
    BUSINESS,
    MARKETING_AND_DESIGN,
    CARE_AND_TEACHING,
)
