"""Names of skills outside software, in the form that ``skill_terms`` describes."""

EMBEDDED_AND_ENGINEERING = """
Embedded systems: embedded software
Firmware
FreeRTOS > RTOS
RTOS: real-time operating system
Zephyr
Yocto
ARM Cortex-M: cortex-m
=ARM
STM32
Arduino
Raspberry Pi
FPGA
CAN bus: =CAN, canbus
Modbus
EtherCAT
PROFINET
I2C
SPI
UART
MQTT
Bluetooth: bluetooth low energy, ble
Zigbee
LoRaWAN
PLC: plc programming
SCADA
LabVIEW
Simulink
AUTOSAR
ISO 26262
ROS: ros2
SolidWorks
CATIA
AutoCAD
Siemens NX
=Creo: pro/engineer
=Inventor: autodesk inventor
Fusion 360
Revit
=ANSYS
Finite element analysis: fea, finite element method
CFD
GD&T
FMEA
CNC: cnc machining
PCB design: pcb layout
Altium: altium designer
KiCad
BIM
GIS: arcgis, qgis
HVAC
Six Sigma: lean six sigma
Lean manufacturing
Lean management
Kaizen
Total productive maintenance: tpm
OEE
3D printing: additive manufacturing
"""

BUSINESS = """
SAP: sap erp
SAP S/4HANA: s/4hana, s4hana > SAP
Oracle ERP: oracle ebs
NetSuite
Microsoft Dynamics: dynamics 365
Odoo
Salesforce: sfdc, salesforce crm
HubSpot
Zoho
CRM
ERP
ServiceNow
Zendesk
Intercom
Jira
Confluence
Asana
=Trello
=Notion
Monday.com
=Slack
Microsoft Teams: ms teams
Microsoft Office: ms office, office 365, microsoft 365
PowerPoint: microsoft powerpoint
Microsoft Word: ms word
=Visio: microsoft visio
Google Workspace: g suite
SharePoint
Power Automate
Agile: agile methodologies, agile development
Scrum
Kanban
=SAFe: scaled agile
Waterfall
PRINCE2
PMP: project management professional
ITIL
Project management: project manager skills
Product management
Program management: programme management
Stakeholder management
Change management
Risk management
Business analysis
Requirements analysis: requirements engineering, requirements gathering
Process improvement: process optimisation, process optimization
Supply chain: supply chain management
Procurement
Logistics
Inventory management: inventory control
Negotiation
Budgeting
Financial modeling: financial modelling
Financial reporting
Financial analysis
IFRS
US GAAP
UK GAAP
HGB
GAAP
Bookkeeping
Accounts payable
Accounts receivable
Payroll
Tax returns: tax preparation
VAT returns: vat return
Auditing: audits
SOX: sarbanes-oxley
Internal controls
=Sage
Xero
QuickBooks
DATEV
Bloomberg Terminal
Anti-money laundering: aml
KYC: know your customer
Underwriting
Actuarial science
Recruiting: talent acquisition
Onboarding
=Workday
Performance management
Labour law: labor law, employment law
Contract law
Compliance
Customer service: customer support
Account management: key account management
Business development
Sales: b2b sales, inside sales
Cold calling
Lead generation
Real estate
Event planning: event management
"""

MARKETING_AND_DESIGN = """
SEO: search engine optimization, search engine optimisation
SEM: search engine marketing
PPC: pay per click
Google Ads: google adwords, adwords
Facebook Ads: meta ads
LinkedIn Ads
Google Analytics: ga4
Google Tag Manager
Marketo
Mailchimp
Klaviyo
Pardot
=Braze
=Segment: twilio segment
=Amplitude
Mixpanel
Ahrefs
Semrush
Content marketing
Email marketing
Social media: social media marketing
Marketing automation
Growth marketing
Product marketing
Brand management
Copywriting
Technical writing
Editing: copy editing, copyediting, proofreading
Translation
Public relations
Market research
Pricing research
Positioning
Go-to-market: gtm
Photoshop: adobe photoshop
Illustrator: adobe illustrator
InDesign: adobe indesign
Adobe XD
After Effects
Premiere Pro: adobe premiere
Adobe Creative Suite: creative cloud, adobe creative cloud
Figma
=Sketch
=Canva
=Blender
Cinema 4D
=Maya: autodesk maya
Final Cut Pro
Ableton
UX design: user experience design, ux
UI design: user interface design, ui
UX research: user research
Wireframing: wireframes
Prototyping
Design systems: design system
Accessibility: wcag, a11y
Typography
Motion design
Photography
Video editing
Shopify
WooCommerce
"""

CARE_AND_TEACHING = """
Nursing: patient care
Wound care
Infection control
Triage
Patient documentation
Phlebotomy
Intubation
Dialysis
Intensive care: icu
Anaesthesia: anesthesia
Cardiopulmonary resuscitation: cpr
Basic life support: bls
Advanced cardiac life support: acls
Electronic health records: ehr, emr, electronic medical records
Medication administration
Physiotherapy: physical therapy
Occupational therapy
Psychotherapy
Counselling: counseling
Case management
Social work
First aid
Radiology
Pharmacology
Clinical trials: clinical research
GCP guidelines: good clinical practice
GMP: good manufacturing practice
HACCP
PCR
Cell culture
Flow cytometry
Chromatography: hplc
Mass spectrometry
Molecular biology
CRISPR
Bioinformatics
Lesson planning: lesson plans
Curriculum development: curriculum design
Classroom management
Instructional design
E-learning
Moodle
=Canvas
=Articulate: articulate storyline, articulate 360
Special education
Early childhood education
Childcare
Cooking: food preparation
Barista
Welding: mig welding, tig welding
Carpentry
Plumbing
Electrical installation
Forklift: forklift operation
Truck driving: hgv, cdl
Gestion de projet
Ingénierie pédagogique
"""
